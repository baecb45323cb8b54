/** How a command ended: with an exit code, or because its time was over or somebody stopped it. */
export type CommandEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "timed out"; readonly afterMs: number }
  | { readonly kind: "stopped" };

export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** What was left out of each, because it was longer. */
  readonly cutAtBytes: number | null;
}

/** The seed's form: what it printed, on failure the errors first, and one line about how it ended. */
export function resultText({ stdout, stderr, cutAtBytes }: CommandOutput, end: CommandEnd): string {
  const hasFailed = end.kind === "exited" && end.exitCode !== 0;
  return lines([...(hasFailed ? [stderr] : []), stdout, cutAtBytes === null ? "" : cutLine(cutAtBytes), endLine(end)]);
}

/** Parts below each other: each on lines of its own, without the empty ones. */
export const lines = (parts: readonly string[]): string =>
  parts
    .map((part) => (part.endsWith("\n") ? part.slice(0, -1) : part))
    .filter((part) => part !== "")
    .join("\n");

export function endLine(end: CommandEnd): string {
  switch (end.kind) {
    case "exited":
      return `[Exit code: ${end.exitCode}]`;
    case "timed out":
      return `[TIMEOUT after ${end.afterMs / 1000}s]`;
    case "stopped":
      return "[STOPPED]";
    default:
      return end satisfies never;
  }
}

export const cutLine = (bytes: number): string => `[TRUNCATED - output exceeded ${sizeText(bytes)}]`;

const KB = 1024;

function sizeText(bytes: number): string {
  if (bytes % (KB * KB) === 0) return `${bytes / (KB * KB)}MB`;
  return bytes % KB === 0 ? `${bytes / KB}KB` : `${bytes} bytes`;
}
