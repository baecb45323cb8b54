import { Buffer } from "node:buffer";
import { newHasher } from "../store/blobs/blake3.ts";

/** BLAKE3, as blobs are addressed by: 32 bytes. */
export async function contentHash(content: Uint8Array): Promise<Uint8Array> {
  const hasher = await newHasher();
  hasher.update(content);
  return Buffer.from(hasher.end(), "hex");
}
