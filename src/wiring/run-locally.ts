import { Buffer } from "node:buffer";
import { openUncontained } from "../sandbox/uncontained.ts";

export interface LocalCommand {
  readonly argv: readonly [string, ...string[]];
  readonly stdin: string;
  readonly cwd: string;
  readonly searchPath: readonly string[];
  readonly timeoutMs: number;
}

export type LocalEnd =
  | { readonly kind: "exited"; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  /** It did not start, did not stop by itself, or said more than anybody takes. */
  | { readonly kind: "failed"; readonly message: string; readonly stdout: string; readonly stderr: string };

const OUTPUT_BYTES_MAX = 10 * 1024 * 1024;
const TERM_GRACE_MS = 10_000;
/** Nothing holds it in: it is the person's own machine, and the command is one that they wrote down. */
const NO_LIMITS = { memoryBytes: 0, openFiles: 0 } as const;

/** A program of this machine's user: words, and no shell. Its environment is clean, and its home is new and goes with it. */
export async function runLocally(command: LocalCommand, signal: AbortSignal): Promise<LocalEnd> {
  const { argv, stdin, cwd, searchPath, timeoutMs } = command;
  const late = AbortSignal.timeout(timeoutMs);
  const program = openUncontained({ searchPath }).start(
    { argv, mounts: [], limits: NO_LIMITS, cwd, stdin, termGraceMs: TERM_GRACE_MS },
    AbortSignal.any([signal, late]),
  );
  const said = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let bytes = 0;
  for await (const chunk of program.chunks) {
    bytes += chunk.bytes.length;
    if (bytes > OUTPUT_BYTES_MAX) program.stop();
    else said[chunk.from].push(chunk.bytes);
  }
  const end = await program.ended;
  const stdout = Buffer.concat(said.stdout).toString();
  const stderr = Buffer.concat(said.stderr).toString();
  const failed = (message: string): LocalEnd => ({ kind: "failed", message, stdout, stderr });
  switch (end.kind) {
    case "exited":
      return { kind: "exited", stdout, stderr, exitCode: end.exitCode };
    case "refused":
      return failed(`the program could not be started: ${end.fault.message}`);
    case "lost":
      return failed("the program was killed by somebody else");
    case "stopped":
      if (bytes > OUTPUT_BYTES_MAX) return failed("the program printed more than is taken");
      return failed(late.aborted ? "the program did not end in time" : "the program was told to stop");
    default:
      return end satisfies never;
  }
}
