// Makes one call under a key, a hundred times at once, in a gate of its own. The tool writes a line to a file and then kills
// the gate, or comes back.
// node makes-keyed-call.ts CONFIG COUNT-FILE die | live

import { appendFileSync } from "node:fs";
import { loadConfig } from "../../src/config/config.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";

const [config = "", counts = "", how = "live"] = process.argv.slice(2);
const loaded = loadConfig({ path: config });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const count = defineTool({
  name: "count",
  description: "counts",
  inputSchema: { type: "object" },
  execute: async () => {
    appendFileSync(counts, "ran\n");
    if (how === "die") process.kill(process.pid, "SIGKILL");
    await new Promise((resolve) => setImmediate(resolve));
    return "counted";
  },
});
const gate = buildGate({ config: loaded.config, tools: [count] });
const outcomes = await Promise.all(
  Array.from({ length: 100 }, () => gate.call({ tool: "count", input: { n: 1 }, key: "once", actor: "ann" })),
);
await gate.close();
const seen = new Set(outcomes.map(({ kind, callId }) => `${kind} ${callId}`));
process.stdout.write(`${[...seen].join("\n")}\n`);
