import { Buffer } from "node:buffer";
import type { Content } from "../domain/outcome.ts";

/** One text of a result, or bytes in Base64. */
export interface Piece {
  readonly encoding: "text" | "base64";
  readonly text: string;
  readonly bytes: number;
  readonly whole: () => Uint8Array;
}

export const piecesOf = (content: readonly Content[]): readonly Piece[] => content.flatMap(piecesOfItem);

function piecesOfItem(item: Content): readonly Piece[] {
  switch (item.type) {
    case "text":
      return [textPiece(item.text)];
    case "image":
      return [bytesPiece(item.data)];
    case "diff":
      return [item.diff, item.newText, ...(item.oldText === undefined ? [] : [item.oldText])].map(textPiece);
    case "resource":
      return [
        ...(item.text === undefined ? [] : [textPiece(item.text)]),
        ...(item.blob === undefined ? [] : [bytesPiece(item.blob)]),
      ];
    default:
      item satisfies never;
      return [];
  }
}

/** The items with other texts. Bytes can't be a little other: an item whose bytes change becomes the text itself. */
export function withPieces(content: readonly Content[], change: (piece: Piece) => string): readonly Content[] {
  return content.map((item): Content => {
    switch (item.type) {
      case "text":
        return { ...item, text: change(textPiece(item.text)) };
      case "diff":
        return {
          ...item,
          diff: change(textPiece(item.diff)),
          newText: change(textPiece(item.newText)),
          ...(item.oldText !== undefined && { oldText: change(textPiece(item.oldText)) }),
        };
      case "image":
        return orText(item, item.data, change(bytesPiece(item.data)));
      case "resource":
        if (item.blob !== undefined) return orText(item, item.blob, change(bytesPiece(item.blob)));
        return item.text === undefined ? item : { ...item, text: change(textPiece(item.text)) };
      default:
        return item satisfies never;
    }
  });
}

const orText = (item: Content, before: string, after: string): Content =>
  before === after ? item : { type: "text", text: after };

const textPiece = (text: string): Piece => ({
  encoding: "text",
  text,
  bytes: Buffer.byteLength(text),
  whole: () => Buffer.from(text),
});

const bytesPiece = (data: string): Piece => ({
  encoding: "base64",
  text: data,
  bytes: data.length,
  whole: () => Buffer.from(data, "base64"),
});
