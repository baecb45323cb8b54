import type { GovernorWay } from "./governor-spec.ts";

/** A program as the operator names it in the configuration. */
export interface NamedProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** What it may write itself: data, and not its code. */
  readonly write: readonly string[];
}

/** What a program of the operator (an upstream, a governor) is made of. All paths are absolute. */
export interface OperatorCode {
  /** Closed to tools, and pinned. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Named on the command line: closed to tools, and not pinned. */
  readonly data: readonly string[];
  /** Of the folder that a package runner is started in: pinned as far as they say what is run. */
  readonly settings: readonly string[];
}

/** Works out what a program is made of now: a digest for each of its files and folders, by paths as people read them. */
export type CodeHashes = (program: NamedProgram) => Promise<Readonly<Record<string, string>>>;

/** A governor is started in the workspace. */
export const governorProgram = (
  { command: [command, ...args], grant }: Extract<GovernorWay, { kind: "script" }>,
  cwd: string,
): NamedProgram => ({ command, args, cwd, write: grant.write });
