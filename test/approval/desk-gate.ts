import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import type { Probe } from "../../src/ports/probe.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { counterFile, countTool } from "../pipeline/counting-gate.ts";

/** A workspace whose every write is asked about, for many processes. */
export function openDeskFolder(durability: "full" | "normal" = "full"): { readonly folder: string } & Disposable {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-desk-")));
  mkdirSync(join(folder, "ws"));
  const rules = [{ id: "asks", effect: "ask", touch: { write: ["./**"] } }];
  const config = { workspace: "ws", state: "state", rules, ledger: { durability } };
  writeFileSync(join(folder, "toolgate.yaml"), JSON.stringify(config));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export const stateDirOf = (folder: string): string => join(folder, "state");

/** A gate with the tool `count`, whose every run leaves a durable line, and with nobody to ask. */
export function openDeskGate(folder: string, probe?: Probe): Gate {
  const loaded = loadConfig({ path: join(folder, "toolgate.yaml") });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  return buildGate(
    { config, tools: [countTool(config.workspace, counterFile(folder))] },
    { approval: { openQuestionsMax: 100_000 }, ...(probe && { probe }) },
  );
}

/** How often each call has run, by its id. */
export function runsIn(folder: string): ReadonlyMap<string, number> {
  const lines = existsSync(counterFile(folder)) ? readFileSync(counterFile(folder), "utf8").split("\n") : [];
  const byCall = Map.groupBy(lines.slice(0, -1), (callId) => callId);
  return new Map([...byCall].map(([callId, runs]) => [callId, runs.length]));
}
