import { Buffer } from "node:buffer";
import type { Clock } from "../../ports/clock.ts";
import type { Sandbox, SandboxFault } from "../../ports/sandbox.ts";
import { COMMAND_LIMITS } from "../sandboxed/run-program.ts";

/** What came of asking a program to describe itself. */
export type Probed =
  | { readonly kind: "described"; readonly text: string }
  /** It does not know the question. */
  | { readonly kind: "unsupported"; readonly because: string }
  /** It knows the question and its answer can't be read. */
  | { readonly kind: "broken"; readonly because: string }
  | { readonly kind: "refused"; readonly fault: SandboxFault };

export interface ProbePorts {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
}

const TIMEOUT_MS = 2000;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Asks a program with `--agent`, after its help has said that there is such an option: to another program the word could
 * mean anything. In the sandbox all the same: no file to write, no network, two seconds.
 */
export async function probe(program: string, ports: ProbePorts): Promise<Probed> {
  const help = await said([program, "--help"], ports);
  if (help.kind === "refused") return help;
  if (help.kind === "endless") return { kind: "unsupported", because: "it does not end when it is asked for help" };
  if (!/--agent\b/.test(help.output + help.errors))
    return { kind: "unsupported", because: "its help does not know `--agent`" };
  const answer = await said([program, "--agent"], ports);
  if (answer.kind === "refused") return answer;
  if (answer.kind === "endless") return { kind: "broken", because: "it does not end within 2 s" };
  const text = answer.output.trim();
  if (answer.exitCode !== 0 || text === "") return { kind: "unsupported", because: "it has no answer to `--agent`" };
  if (!text.startsWith("{")) return { kind: "unsupported", because: "its answer to `--agent` is no JSON object" };
  return { kind: "described", text: `${text}\n` };
}

type Said =
  | { readonly kind: "said"; readonly exitCode: number; readonly output: string; readonly errors: string }
  | { readonly kind: "endless" }
  | { readonly kind: "refused"; readonly fault: SandboxFault };

async function said(argv: readonly [string, ...string[]], { sandbox, clock }: ProbePorts): Promise<Said> {
  const missing = sandbox.missing();
  if (missing !== null) return { kind: "refused", fault: missing };
  const stop = new AbortController();
  const disarm = clock.after(TIMEOUT_MS, () => stop.abort());
  try {
    const command = { argv, mounts: [], limits: COMMAND_LIMITS, view: "system", termGraceMs: 0 } as const;
    const program = sandbox.start(command, stop.signal);
    const parts = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
    let bytesRead = 0;
    for await (const { from, bytes } of program.chunks) {
      bytesRead += bytes.length;
      if (bytesRead <= OUTPUT_BYTES_MAX) parts[from].push(Buffer.from(bytes));
      else program.stop();
    }
    const end = await program.ended;
    if (end.kind === "refused") return end;
    if (end.kind !== "exited") return { kind: "endless" };
    const text = (from: "stdout" | "stderr"): string => Buffer.concat(parts[from]).toString();
    return { kind: "said", exitCode: end.exitCode, output: text("stdout"), errors: text("stderr") };
  } finally {
    disarm();
  }
}
