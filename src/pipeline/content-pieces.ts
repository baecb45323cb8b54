import { Buffer } from "node:buffer";
import type { JsonValue } from "../domain/json.ts";
import type { Content } from "../domain/outcome.ts";

/** One part of a result that may be too long: a text, bytes in Base64, or something that can only be left out whole. */
export interface Piece {
  readonly kind: "text" | "base64" | "value";
  readonly text: string;
  readonly bytes: number;
  readonly whole: () => Uint8Array;
}

export const piecesOf = (content: readonly Content[]): readonly Piece[] =>
  content.flatMap((item) => Object.entries(item ?? {}).flatMap(([name, member]) => pieceOf(item, name, member) ?? []));

/** The items with other texts. What is no text can't be a little other: an item that loses it becomes the text itself. */
export function withPieces(content: readonly Content[], change: (piece: Piece) => string): readonly Content[] {
  return content.map((item): Content => {
    let changed = item;
    for (const [name, member] of Object.entries(item ?? {})) {
      const piece = pieceOf(item, name, member);
      const text = piece === null ? null : change(piece);
      if (piece === null || text === null || text === piece.text) continue;
      if (piece.kind !== "text") return { type: "text", text };
      changed = { ...changed, [name]: text };
    }
    return changed;
  });
}

/** Null: it is short by nature, or not there. */
function pieceOf(item: Content, name: string, member: JsonValue | undefined): Piece | null {
  if (name === "type" || member === undefined) return null;
  if (typeof member !== "string") return piece("value", JSON.stringify(member), () => jsonOf(item));
  const isBase64 = (item.type === "image" && name === "data") || (item.type === "resource" && name === "blob");
  return isBase64
    ? piece("base64", member, () => Buffer.from(member, "base64"))
    : piece("text", member, () => Buffer.from(member));
}

const jsonOf = (item: Content): Uint8Array => Buffer.from(JSON.stringify(item));

const piece = (kind: Piece["kind"], text: string, whole: Piece["whole"]): Piece => ({
  kind,
  text,
  bytes: Buffer.byteLength(text),
  whole,
});
