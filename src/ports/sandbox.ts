import type { Refusal } from "../domain/outcome.ts";
import type { SandboxReport } from "../domain/sandbox-report.ts";
import type { Secret } from "../domain/secret.ts";
import type { HeldPath } from "./files.ts";

/**
 * What of this machine a program sees. What is not mounted is not there. Applied in order: a later one lies over an
 * earlier one.
 */
export type Mount =
  /** Something that was judged, at its own path. The program starts only if this and nothing else is mounted there. */
  | { readonly kind: "held"; readonly held: HeldPath; readonly access?: "read" | "write" }
  /** A part of the installation, which no tool may change. */
  | { readonly kind: "installed"; readonly path: string; readonly at: string }
  /** A part of what is mounted writable, kept as it is; or kept in its place, so that nobody moves it away. Held, too. */
  | { readonly kind: "kept"; readonly held: HeldPath; readonly access: "read" | "write" }
  /** A part of what is mounted, which nobody may look into; `empty`: a folder that seems to hold nothing. */
  | { readonly kind: "hidden"; readonly path: string; readonly as: "file" | "directory" | "empty" };

export interface SandboxLimits {
  readonly memoryBytes: number;
  readonly openFiles: number;
  /** Left out = the program has no use for more than a few. */
  readonly tasks?: number;
  /** Of one file. Left out = it can't write any. */
  readonly fileBytes?: number;
  readonly cpuSeconds?: number;
  /** Of all that it keeps in its own `/tmp` and home. */
  readonly privateBytes?: number;
}

/**
 * `bare`: only what is mounted, for a program that needs nothing else. `system`: also the installed programs and
 * libraries, `/proc`, `/dev`, and a home and a `/tmp` that are new and empty and go with it.
 */
export type SandboxView = "bare" | "system";

/** One program with its arguments: no shell, no network but a proxy's. */
export interface SandboxCommand {
  /** The program's path as the program would see it, and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly mounts: readonly Mount[];
  readonly limits: SandboxLimits;
  readonly view?: SandboxView;
  /** Beside `PATH`, `HOME` and the few others that every program gets. Without `system` there is nothing else. */
  readonly env?: Readonly<Record<string, string | Secret>>;
  /** As the program sees it. Left out = `/`. */
  readonly cwd?: string;
  /** A folder below its own `/tmp` that is made for it, for nobody else, and goes with it: it starts there. */
  readonly ownFolder?: string;
  /** What it can read. Left out = nothing; `open` = what is written to its `input` while it runs. */
  readonly stdin?: string | Uint8Array | { readonly kind: "open" };
  /** Of this machine, a unix socket that a proxy listens on: `PROXY_SOCKET` in the sandbox. Left out = no network. */
  readonly proxySocket?: string;
  /** Of this machine, a unix socket that the gate itself answers on: `CALL_SOCKET` in the sandbox. Left out = none. */
  readonly callSocket?: string;
  /** Names that it finds at these addresses of its own, beside `localhost`. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Whether it may use unix sockets. Left out: only if it has one of the two above. */
  readonly unixSockets?: "allowed";
  /** How long it may clean up when it is told to stop. Left out = not at all. */
  readonly termGraceMs?: number;
}

/** Folders that every program has for itself, new and empty: `TMPDIR` and `HOME`. */
export const OWN_TMP = "/tmp";
export const OWN_HOME = "/.home";

/** Where a program finds its way out, if there is one. */
export const PROXY_SOCKET = "/.toolgate-proxy";

/** Where an agent finds its way to the gate. */
export const CALL_SOCKET = "/.toolgate-calls";

export type SandboxFault = Pick<Refusal, "message" | "hint"> & {
  readonly code: "SANDBOX_UNAVAILABLE" | "SPAWN_FAILED" | "CONFLICT" | "ROOT_REFUSED";
};

/** A limit that was seen to be reached. */
export type LimitReached = "memory" | "processes";

/**
 * INVARIANT (proof of start): `exited` is said only of a program that really ran. A sandbox that could not be set up
 * is `refused`, whatever exit code its launcher had: nothing of the program ran.
 */
export type SandboxEnd =
  | {
      readonly kind: "exited";
      /** 128 and the number of the signal, if one ended it. */
      readonly exitCode: number;
      /** The first part of what it wrote to stderr. */
      readonly errorText: string;
      /** Only of one that ended badly: nobody asks of one that got along. */
      readonly reached?: readonly LimitReached[];
    }
  /** It was told to stop. */
  | { readonly kind: "stopped" }
  /** Somebody else killed the sandbox. Nothing of it goes on; whether the program had begun, nobody knows. */
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly fault: SandboxFault };

export interface OutputChunk {
  readonly from: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

/** The stdin of a program that is spoken to. What is written after its end goes nowhere. */
export interface ProgramInput {
  /** Comes back when it may take more, or has gone. */
  readonly write: (text: string) => Promise<void>;
  readonly end: () => void;
}

export interface SandboxedProgram {
  /** Only where `stdin` is open. */
  readonly input?: ProgramInput | undefined;
  /** What it writes to stdout. Has to be read, or the program waits; whoever breaks off, leaves the rest unread. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Both of its outputs as they come. Instead of `output`, and not beside it. */
  readonly chunks: AsyncIterable<OutputChunk>;
  /**
   * The same without a turn of its own for each piece, for who is spoken to often: tells both outputs as they come, until
   * their end. What `hear` gives back to be waited for, is waited for before more of that output is told. Left out = by
   * `chunks` only.
   */
  readonly listen?: ((hear: (chunk: OutputChunk) => Promise<void> | void) => Promise<void>) | undefined;
  /** Never rejects. Settles only when nothing of the program goes on. */
  readonly ended: Promise<SandboxEnd>;
  /** Ends the program with everything that it has started. Does nothing when it has ended. */
  readonly stop: () => void;
}

/** The only way to start a program. */
export interface Sandbox {
  /** Why no program can be run here at all; null = as far as can be told without running one, they can. */
  readonly missing: () => SandboxFault | null;
  /** What holds programs in here: part of every plan that runs one. */
  readonly report: () => SandboxReport;
  readonly start: (command: SandboxCommand, signal: AbortSignal) => SandboxedProgram;
}
