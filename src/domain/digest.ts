import { createHash, hash } from "node:crypto";
import { canonicalJson, canonicalPieces } from "./canonical-json.ts";
import { isLong } from "./is-long.ts";

/** SHA-256 in lower-case hexadecimal. */
export type Digest = string & { readonly digest: unique symbol };

export const digestOfText = (text: string): Digest => hash("sha256", text) as Digest;

export const digestOfBytes = (bytes: Uint8Array): Digest => hash("sha256", bytes) as Digest;

export const digestOf = (value: unknown): Digest =>
  isLong(value) ? digestOfPieces(canonicalPieces(value)) : digestOfText(canonicalJson(value));

function digestOfPieces(pieces: Iterable<string>): Digest {
  const sha256 = createHash("sha256");
  for (const piece of pieces) sha256.update(piece);
  return sha256.digest("hex") as Digest;
}
