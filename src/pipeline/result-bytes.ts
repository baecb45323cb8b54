import { Buffer } from "node:buffer";
import type { Failure, Truncation } from "../domain/outcome.ts";
import type { Finished, Unrecorded } from "./finished.ts";
import { fitResult, type Keep, type Result } from "./fit-result.ts";

/** What a budget of bytes counts of a result: all that the tool says, as JSON. */
export const resultBytes = (outcome: Unrecorded): number =>
  "content" in outcome
    ? jsonBytes(outcome.content) +
      ("structured" in outcome ? jsonBytes(outcome.structured) : 0) +
      ("error" in outcome ? jsonBytes(outcome.error) : 0)
    : 0;

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** In JSON a byte of text is at most six. */
const JSON_GROWTH_MAX = 6;

/** Of a message that is longer the rest belongs into the content. */
const MESSAGE_LENGTH_MAX = 100;

/**
 * INVARIANT (never overspent): of a result that is longer than the bytes that were held for it, only so much is told; the
 * whole is kept as a blob. At least 1,024 bytes are held for each.
 */
export async function withinBytes(finished: Finished, bytesMax: number, keep: Keep): Promise<Finished> {
  const { outcome } = finished;
  if (!("content" in outcome) || resultBytes(outcome) <= bytesMax) return finished;
  const { content, truncated, ...rest } = outcome;
  const { structured, ...bare } = { structured: undefined, ...rest };
  const short =
    "error" in bare && jsonBytes(bare.error) > bytesMax / 2 ? { ...bare, error: shortened(bare.error) } : bare;
  const told = { ...finished, outcome: short as Unrecorded };
  const result: Result = structured === undefined ? { content } : { content, structured };
  const room = bytesMax - resultBytes({ ...short, content: [] } as unknown as Unrecorded);
  const cut = await fitResult(
    result,
    JSON.stringify(result),
    wholeOf(truncated, keep),
    Math.floor(room / JSON_GROWTH_MAX),
  );
  const where = truncated ?? cut.truncated;
  const fitted = { ...short, ...cut, truncated: where } as Unrecorded;
  if (resultBytes(fitted) <= bytesMax) return { ...told, outcome: fitted };
  return { ...told, outcome: { ...short, content: [withheld(where)], truncated: where } as Unrecorded };
}

/** What has been cut before is whole in its own blob. */
const wholeOf = (truncated: Truncation | undefined, keep: Keep): Keep =>
  truncated === undefined ? keep : async () => truncated.blob;

const shortened = ({ code, message, retryable, exitCode }: Failure): Failure => ({
  code,
  message: message.slice(0, MESSAGE_LENGTH_MAX).toWellFormed(),
  retryable,
  ...(exitCode !== undefined && { exitCode }),
});

const withheld = (truncated: Truncation | undefined) => ({
  type: "text" as const,
  text: `[TRUNCATED: BUDGET_EXCEEDED, the session has too few bytes left for it${truncated?.blob ? `; the whole: toolgate blobs get ${truncated.blob}` : ""}]`,
});
