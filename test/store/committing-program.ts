import { type StartedProgram, startProgram } from "../support/started-program.ts";

/** `commits-changes.ts`, asked for one thing after the other. */
export interface CommittingProgram extends StartedProgram {
  readonly ask: <Answer>(command: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** `committed` or the code of the refusal, for each of the calls. */
  readonly commit: (...ids: readonly string[]) => Promise<readonly string[]>;
}

export function startCommitting(
  stateDir: string,
  { durability = "full", wrapper = [] as readonly string[] } = {},
): CommittingProgram {
  const program = startProgram("commits-changes.ts", [stateDir, durability], wrapper);
  const ask = async <Answer>(command: Readonly<Record<string, unknown>>): Promise<Answer> => {
    program.tell(JSON.stringify(command));
    return JSON.parse(await program.line()) as Answer;
  };
  return { ...program, ask, commit: (...ids) => ask({ commit: ids }) };
}

/** One thread for all that goes to other threads, because `strace` counts what it is to fail for each thread. */
export const failing = (syscall: "fsync" | "fdatasync", nth: number, error = "EIO"): readonly string[] => [
  "env",
  "UV_THREADPOOL_SIZE=1",
  "strace",
  "-f",
  "-qq",
  "-o",
  "/dev/null",
  "-e",
  `trace=${syscall}`,
  "-e",
  `inject=${syscall}:error=${error}:when=${nth}`,
];
