import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Suite } from "../harness.ts";
import { oneByOne } from "../parts/in-flight.ts";

const VALUE = "a value with 'quotes', $(commands) and \"more\"";
/** In a row: a single call is too short to compare. */
const CALLS = 10;
/** What a person would write who puts the value into the command line. */
const COMMAND = `printf '%s\\n' '${VALUE.replaceAll("'", `'\\''`)}' | cat`;
const SCRIPT = "printf '%s\\n' {{x}} | cat";

/** A script tool against `run_command` with the same text: what binding values costs. */
export const scripts: Suite = {
  name: "scripts",
  rounds: 50,
  warmUpRounds: 3,
  aims: [
    {
      says: "script tool / run_command with the same text",
      value: (usOf) => usOf("script tool") / usOf("run_command"),
      unit: "ratio",
      bound: { atMost: 1.1 },
    },
  ],
  open: async ({ scratch }) => {
    const folder = scratch.makeFolder("scripts");
    const path = join(folder, "toolgate.yaml");
    const tool = {
      script: SCRIPT,
      parameters: [{ name: "x" }],
      sandbox: { working_directory: ".", use_temp_isolation: false },
    };
    writeFileSync(join(folder, "tools.yaml"), JSON.stringify({ tools: { script: tool } }));
    const rules = [{ id: "print", effect: "allow", touch: { exec: ["cat", "printf **"] } }];
    writeFileSync(path, JSON.stringify({ tools: { builtin: ["shell"], scripts: ["tools.yaml"] }, rules }));
    const loaded = loadConfig({ path });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const gate = buildGate({ config: loaded.config });
    const made = (tool: string, input: Record<string, string>) => () =>
      oneByOne(CALLS, async () => {
        const outcome = await gate.call({ tool, input });
        if (outcome.kind !== "completed") throw new Error(JSON.stringify(outcome));
      });
    return {
      note: "power-safe ledger; the same sandbox, a pipe of two commands",
      cases: [
        { name: "run_command", unitsPerRound: CALLS, round: made("run_command", { command: COMMAND }) },
        { name: "script tool", unitsPerRound: CALLS, round: made("script", { x: VALUE }) },
      ],
      close: () => gate.close(),
    };
  },
};
