import { type CommandEnd, resultText } from "../../atip/result-text.ts";
import type { Content } from "../../domain/outcome.ts";
import type { KeptOutputs, ProgramEnd, ProgramOutput } from "../sandboxed/run-program.ts";

interface Run {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Parameters that the call gave and the command does not have. */
  readonly ignored: readonly string[];
}

/** `streams`: two texts, what it printed and its errors, whatever became of it. */
export type OutputForm = "text" | "streams";

/** What a model gets to read of a command, in the seed's form; errors that a good run printed come after it. */
export const commandOutput = (keptBytes: number, run: Run, form: OutputForm = "text"): ProgramOutput => ({
  keptBytes,
  shown: (kept, end) =>
    form === "streams" ? streams(kept) : [...shown(kept, commandEnd(end, run), keptBytes), ...ignoredNote(run.ignored)],
});

const streams = ({ stdout, stderr }: KeptOutputs): readonly Content[] =>
  ([stdout.start(), stderr.start()] as const).map((text) => ({ type: "text", text: text ?? NO_TEXT }));

const NO_TEXT = "[the output is no text]\n";

function shown({ stdout, stderr }: KeptOutputs, end: CommandEnd, keptBytes: number): readonly Content[] {
  const [out, err] = [stdout.start(), stderr.start()];
  const hasFailed = end.kind === "exited" && end.exitCode !== 0;
  const cutAtBytes = stdout.isCut() || (hasFailed && stderr.isCut()) ? keptBytes : null;
  const text = resultText({ stdout: out ?? "", stderr: err ?? "", cutAtBytes }, end);
  return [
    { type: "text", text },
    // What is no text is nobody's to read, and still is what it printed.
    ...(out === null ? stdout.content("stdout") : []),
    ...(err === null || !hasFailed ? stderr.content("stderr") : []),
  ];
}

function commandEnd(end: ProgramEnd, { signal, timeoutMs }: Run): CommandEnd {
  if (typeof end === "number") return { kind: "exited", exitCode: end };
  const isTimeout = signal.aborted && (signal.reason as { readonly name?: unknown } | null)?.name === "TimeoutError";
  return isTimeout ? { kind: "timed out", afterMs: timeoutMs } : { kind: "stopped" };
}

const ignoredNote = (ignored: readonly string[]): readonly Content[] =>
  ignored.length === 0
    ? []
    : [
        {
          type: "text",
          text: `[Ignored: ${ignored.map((name) => JSON.stringify(name)).join(", ")} - the command has no such parameters]`,
        },
      ];
