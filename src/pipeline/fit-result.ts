import { Buffer } from "node:buffer";
import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Content, Truncation } from "../domain/outcome.ts";
import { truncateText } from "../redact/truncate.ts";
import { type Piece, piecesOf, withPieces } from "./content-pieces.ts";

export interface Result {
  readonly content: readonly Content[];
  readonly structured?: JsonObject;
}

export type Fitted = Result & { readonly truncated?: Truncation };

/** Keeps some bytes; null = they could not be kept. */
export type Keep = (bytes: Uint8Array) => Promise<string | null>;

const BYTES_MAX = LIMITS.resultBytes.default;
const ITEMS_MAX = LIMITS.repeatedItems.default;
/** Brackets, names and types around what an item holds. */
const ITEM_BYTES = 64;

/** Whether a result is over the limit. Its JSON, which is there anyway, settles nearly all cases. */
export function isOverLimit(result: Result, jsonText: string, bytesMax = BYTES_MAX): boolean {
  return jsonText.length * 3 > bytesMax && sizeOf(result) + result.content.length * ITEM_BYTES > bytesMax;
}

const sizeOf = ({ content, structured }: Result): number =>
  piecesOf(content).reduce((sum, { bytes }) => sum + bytes, 0) + jsonBytes(structured);

const jsonBytes = (value: JsonObject | undefined): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

/**
 * A result that is over the limit: its longest texts cut in their middle, and the whole kept as a blob. Where one text
 * had to be cut, the blob is that text; else it is the result as JSON.
 * INVARIANT (redact first): takes what was redacted already.
 */
export async function fitResult(
  result: Result,
  jsonText: string,
  keep: Keep,
  resultBytesMax = BYTES_MAX,
): Promise<Fitted> {
  const bytes = sizeOf(result);
  const { content, structured } = result;
  const keepsStructured = jsonBytes(structured) <= resultBytesMax / 2;
  const items =
    content.length > ITEMS_MAX ? [...content.slice(0, ITEMS_MAX / 2), ...content.slice(-ITEMS_MAX / 2)] : content;
  const pieces = piecesOf(items);
  const room = resultBytesMax - items.length * ITEM_BYTES - (keepsStructured ? jsonBytes(structured) : 0);
  const bytesMax = evenShare(
    pieces.map((piece) => piece.bytes),
    room,
  );
  const long = pieces.filter((piece) => piece.bytes > bytesMax);
  const [only] = long;
  const isAlone = only !== undefined && long.length === 1 && keepsStructured && items === content;
  const blob = await keep(isAlone ? only.whole() : Buffer.from(jsonText));
  const how = howToGet(blob, isAlone ? "the whole" : "the whole result as JSON");
  const cut = withPieces(items, (piece) => (piece.bytes > bytesMax ? shortened(piece, bytesMax, how) : piece.text));
  const left = leftOut(content.length - items.length, keepsStructured, how);
  return {
    content: left === null ? cut : [...cut, { type: "text", text: left }],
    ...(structured !== undefined && keepsStructured && { structured }),
    truncated: { bytes, blob },
  };
}

const howToGet = (blob: string | null, what: string): string =>
  blob === null ? `${what} could not be kept` : `${what}: toolgate blobs get ${blob}`;

/** A part of a picture is no picture. */
const shortened = ({ kind, text, bytes }: Piece, bytesMax: number, how: string): string =>
  kind === "text" ? truncateText(text, bytesMax, how).text : `[TRUNCATED: ${bytes} bytes in all; ${how}]`;

function leftOut(items: number, keepsStructured: boolean, how: string): string | null {
  const what = [...(items > 0 ? [`${items} items`] : []), ...(keepsStructured ? [] : ["the structured result"])];
  return what.length === 0 ? null : `[TRUNCATED: ${what.join(" and ")} left out; ${how}]`;
}

/** The greatest share for each, so that all fit: what the short ones leave goes to the long ones. */
function evenShare(sizes: readonly number[], room: number): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  let left = Math.max(room, 0);
  for (const [index, size] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
