// Writes the journal of `test/fixtures/journal-vN` with a real gate, in the format of today. Run once when a format is
// released; afterwards the files are kept as they are and no later version may fail to read them.
// unshare --uts sh -c 'hostname host && node writes-old-journal.ts /tmp/journal', because a question names its host
//
// Two calls completed and one refused, under a checkpoint; a question that is still open, of a caller who does not
// wait; an open session; and a call in the middle of which the gate was killed.

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadConfig } from "../../src/config/config.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";

const [folder = "", part = "all"] = process.argv.slice(2);
if (part === "all") writeAll();
else await dieHalfWay();

function writeAll(): void {
  mkdirSync(join(folder, "ws"), { recursive: true });
  const rules = [
    { id: "runs", effect: "allow", tools: ["count", "die"], touch: { unknown: true } },
    { id: "asks", effect: "ask", tools: ["ask"], touch: { unknown: true } },
  ];
  writeFileSync(join(folder, "toolgate.yaml"), JSON.stringify({ workspace: "ws", state: "state", rules }));
  spawnSync(process.execPath, [import.meta.filename, folder, "gate"], { stdio: "inherit" });

  // As SQLite leaves it when it is closed in order, but without the gate, which would settle the open calls.
  const db = new DatabaseSync(join(folder, "state/journal.db"));
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  rmSync(join(folder, "state/owners"), { recursive: true });
}

async function dieHalfWay(): Promise<void> {
  const loaded = loadConfig({ path: join(folder, "toolgate.yaml") });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const inputSchema = { type: "object" };
  const count = defineTool({ name: "count", description: "counts", inputSchema, execute: () => "one" });
  const ask = defineTool({ name: "ask", description: "asks first", inputSchema, execute: () => "asked" });
  const die = defineTool({ name: "die", description: "kills its gate", inputSchema, execute: killGate });
  const gate = buildGate({ config: loaded.config, tools: [count, ask, die] });
  await gate.call({ tool: "count", input: { n: 1 } });
  await gate.call({ tool: "count", input: { n: 2 } });
  await gate.call({ tool: "missing", input: {} });
  await gate.ledger.checkpoint();
  await gate.sessions.open({ tools: ["count"], expires: null }, { label: "kept" });
  await gate.call({ tool: "ask", input: {} }, { whenAsked: "return" });
  await gate.call({ tool: "die", input: {} });
}

function killGate(): string {
  process.kill(process.pid, "SIGKILL");
  return "never";
}
