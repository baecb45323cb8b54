import type { Progress } from "../../domain/tool.ts";

/** How long an upstream is waited for, and who hears what it says on the way. */
export interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (progress: Progress) => void;
}
