import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../src/config/config.ts";
import { createSettings } from "../../../src/config/create-settings.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { buildGate } from "../../../src/wiring/build-gate.ts";

const CONFIG = "rules: [{ id: all, effect: allow, touch: { unknown: true } }]\n";

/** A workspace whose state directory is there before any gate is. Each call is made by a gate of its own. */
export function openGateIn() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-hostile-"));
  const stateDir = join(folder, ".toolgate");
  mkdirSync(stateDir, { mode: 0o700 });
  const path = join(folder, "toolgate.yaml");
  createSettings(path, CONFIG);
  let runs = 0;
  const count = defineTool({
    name: "count",
    description: "counts its runs",
    inputSchema: { type: "object" },
    execute: () => `run ${++runs}`,
  });
  const open = () => {
    const loaded = loadConfig({ path });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    return buildGate({ config: loaded.config, tools: [count] });
  };
  return {
    folder,
    stateDir,
    runs: () => runs,
    call: async () => {
      const gate = open();
      const outcome = await gate.call({ tool: "count", input: {} });
      await gate.close();
      return outcome;
    },
    verify: () => open().ledger.verify(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
