import type { Readable, Writable } from "node:stream";
import type { RLimit } from "./rlimit.ts";

/** bubblewrap as a process that was started, with what leads to it. */
export interface Launched {
  readonly pid: number;
  /** Null: nobody said that it should read anything, or it has gone already. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly status: Readable;
  /** Only of one that waits for its program. */
  readonly words: Writable | null;
  /** What the starter says, where there is one. */
  readonly said: Readable | null;
  /** Lets the program begin. */
  readonly begin: () => void;
  /** It has ended itself; what it printed may not be read yet. */
  readonly exited: Promise<void>;
  /** It has ended, and so have all its pipes. */
  readonly gone: Promise<void>;
  /** Known somewhat later. */
  readonly how: Promise<"by itself" | "by a signal">;
  /** What only waits keeps no process from ending; what somebody waits for does. */
  readonly hold: (how: "ref" | "unref") => void;
}

export interface Somebody {
  readonly uid: number;
  readonly gid: number;
}

/** What it takes to start one. */
export interface LaunchOrder {
  /** bubblewrap's, with its program. */
  readonly argv: readonly [string, ...string[]];
  readonly limits: readonly RLimit[];
  /** What it reads from its descriptor for options. */
  readonly options: string;
  /** A descriptor of this process, or a pipe. */
  readonly stdin: number | "pipe" | "nothing";
  /** Descriptors of this process, for those from the filter on, one after another. */
  readonly files: readonly number[];
  /** `waits`: for its words. */
  readonly starter: "none" | "is told" | "waits";
  readonly somebody: Somebody | undefined;
}
