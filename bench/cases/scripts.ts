import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Suite } from "../harness.ts";

const VALUE = "a value with 'quotes', $(commands) and \"more\"";
/** What a person would write who puts the value into the command line. */
const COMMAND = `printf '%s\\n' '${VALUE.replaceAll("'", `'\\''`)}' | cat`;
const SCRIPT = "printf '%s\\n' {{x}} | cat";

/** A script tool against `run_command` with the same text: what binding values costs. */
export const scripts: Suite = {
  name: "scripts",
  rounds: 40,
  warmUpRounds: 5,
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
    const made = (tool: string, input: Record<string, string>) => async (): Promise<void> => {
      const outcome = await gate.call({ tool, input });
      if (outcome.kind !== "completed") throw new Error(JSON.stringify(outcome));
    };
    return {
      note: "power-safe ledger; the same sandbox, a pipe of two commands",
      cases: [
        { name: "run_command", unitsPerRound: 1, round: made("run_command", { command: COMMAND }) },
        { name: "script tool", unitsPerRound: 1, round: made("script", { x: VALUE }) },
      ],
      close: () => gate.close(),
    };
  },
};
