import type { Refusal } from "../domain/outcome.ts";
import type { HeldPath } from "./files.ts";

/** What of this machine a program sees. Everything is read-only, and what is not mounted is not there. */
export type Mount =
  /** Something that was judged, at its own path. The program starts only if this and nothing else is mounted there. */
  | { readonly kind: "held"; readonly held: HeldPath }
  /** A part of the installation, which no tool may change. */
  | { readonly kind: "installed"; readonly path: string; readonly at: string };

export interface SandboxLimits {
  readonly memoryBytes: number;
  readonly openFiles: number;
}

/** One program with its arguments: no shell, no environment, no network, nothing on its stdin. */
export interface SandboxCommand {
  /** The program's path as the program would see it, and its arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly mounts: readonly Mount[];
  readonly limits: SandboxLimits;
}

export type SandboxFault = Pick<Refusal, "message" | "hint"> & {
  readonly code: "SANDBOX_UNAVAILABLE" | "SPAWN_FAILED" | "CONFLICT";
};

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
    }
  /** It was told to stop. */
  | { readonly kind: "stopped" }
  /** Somebody else killed the sandbox. Nothing of it goes on; whether the program had begun, nobody knows. */
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly fault: SandboxFault };

export interface SandboxedProgram {
  /** What it writes to stdout. Has to be read, or the program waits; whoever breaks off, leaves the rest unread. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Never rejects. Settles only when nothing of the program goes on. */
  readonly ended: Promise<SandboxEnd>;
  /** Ends the program with everything that it has started. Does nothing when it has ended. */
  readonly stop: () => void;
}

/** The only way to start a program. */
export interface Sandbox {
  /** Why no program can be run here at all; null = as far as can be told without running one, they can. */
  readonly missing: () => SandboxFault | null;
  readonly start: (command: SandboxCommand, signal: AbortSignal) => SandboxedProgram;
}
