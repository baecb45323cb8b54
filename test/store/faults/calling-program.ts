import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { codeOf } from "../../support/scratch-gate.ts";
import { type StartedProgram, startProgram } from "../../support/started-program.ts";
import { openScratch, type Scratch } from "../state-dir.ts";

/** A config whose gate lets `count` run, and the file in which it counts. */
export interface CountingSetUp extends Scratch {
  readonly config: string;
  readonly counter: string;
  /** How often the tool ran. */
  readonly runs: () => number;
  readonly start: (wrapper?: readonly string[]) => CallingProgram;
}

/** `makes-calls.ts`, asked for one thing after the other. */
export interface CallingProgram extends StartedProgram {
  readonly ask: <Answer>(command: JsonObject) => Promise<Answer>;
  /** Calls `count`, and gives `completed` or the code of what became of it. */
  readonly call: (input?: JsonObject) => Promise<string>;
}

/** `state`: the state directory, from the folder of the config. */
export function openCountingSetUp(state = "state"): CountingSetUp {
  const scratch = openScratch();
  const { folder } = scratch;
  const [config, counter] = [join(folder, "toolgate.yaml"), join(folder, "counter")];
  mkdirSync(join(folder, "ws"));
  writeFileSync(counter, "");
  const rules = [{ id: "count", effect: "allow", touch: { unknown: true } }];
  writeFileSync(config, JSON.stringify({ workspace: "ws", state, rules }));
  return {
    ...scratch,
    stateDir: join(folder, state),
    config,
    counter,
    runs: () => readFileSync(counter).length,
    start: (wrapper = []) => withCalls(startProgram("makes-calls.ts", [config, counter], wrapper)),
  };
}

function withCalls(program: StartedProgram): CallingProgram {
  const ask = async <Answer>(command: JsonObject): Promise<Answer> => {
    program.tell(JSON.stringify(command));
    return JSON.parse(await program.line()) as Answer;
  };
  return { ...program, ask, call: async (input = {}) => codeOf(await ask<Outcome>({ call: input })) };
}
