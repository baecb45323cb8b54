import { AtipExecuteError } from "./errors.ts";
import type { Executed, ToolCall } from "./types.ts";

export interface BatchSettings {
  /** Left out = one after the other. */
  readonly parallel?: boolean;
  /** Left out = yes. */
  readonly continueOnError?: boolean;
  /** Left out = 4. */
  readonly maxConcurrency?: number;
}

export interface BatchItem {
  readonly toolCallId: string;
  readonly success: boolean;
  /** Where the command ran. */
  readonly result?: Executed;
  /** Where it did not. */
  readonly error?: AtipExecuteError;
}

export interface BatchResult {
  /** In the order of the calls. With `continueOnError: false`, up to the first that failed. */
  readonly results: readonly BatchItem[];
  /** In milliseconds. */
  readonly totalDuration: number;
  readonly successCount: number;
  readonly failureCount: number;
}

const CONCURRENCY_MAX = 64;

/** Neighbours that only read run side by side; everything else waits for what was before it, and is waited for. */
export async function inTurn(
  calls: readonly ToolCall[],
  { parallel = false, continueOnError = true, maxConcurrency = 4 }: BatchSettings,
  isQuiet: (call: ToolCall) => boolean,
  make: (call: ToolCall) => Promise<Executed | AtipExecuteError>,
): Promise<BatchResult> {
  if (!(Number.isInteger(maxConcurrency) && maxConcurrency >= 1 && maxConcurrency <= CONCURRENCY_MAX))
    throw new AtipExecuteError(
      "INVALID_OPTION",
      `\`maxConcurrency\` has to be a whole number from 1 to ${CONCURRENCY_MAX}`,
    );
  const begun = performance.now();
  const results: BatchItem[] = [];
  for (let next = 0; next < calls.length; ) {
    let end = next + 1;
    const isRun = parallel && isQuiet(calls[next] as ToolCall);
    while (isRun && end < calls.length && end - next < maxConcurrency && isQuiet(calls[end] as ToolCall)) end++;
    const some = calls.slice(next, end);
    const done = await Promise.all(some.map(async (call) => itemOf(call, await make(call))));
    results.push(...done);
    next = end;
    // What has ended is kept, whatever the rest did.
    if (!continueOnError && done.some(({ success }) => !success)) break;
  }
  const successCount = results.filter(({ success }) => success).length;
  return {
    results,
    totalDuration: Math.round(performance.now() - begun),
    successCount,
    failureCount: results.length - successCount,
  };
}

const itemOf = ({ id: toolCallId }: ToolCall, made: Executed | AtipExecuteError): BatchItem =>
  made instanceof AtipExecuteError
    ? { toolCallId, success: false, error: made }
    : { toolCallId, success: made.success, result: made };
