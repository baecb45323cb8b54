import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { GatheredBytes } from "../domain/gathered-bytes.ts";

export interface Body {
  readonly bytes: Uint8Array;
  /** `cut`: it goes on beyond the limit. `broken`: it ended before its end, or can't be unpacked. */
  readonly end: "whole" | "cut" | "broken";
}

/** What packs badly may be longer packed than unpacked, by this much. */
const PACKED_SLACK = 64 * 1024;

/** Reads no more than `bytesMax` of what is unpacked, and no more than that of what is packed: memory is bounded twice. */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<Body> {
  const gathered = new GatheredBytes();
  let bytes = 0;
  let isCut = false;
  let packed = 0;
  response.on("data", (chunk: Uint8Array) => {
    packed += chunk.length;
    if (packed > bytesMax + PACKED_SLACK) {
      isCut = true;
      response.destroy();
    }
  });
  try {
    for await (const chunk of unpacked(response) as AsyncIterable<Uint8Array>) {
      const rest = bytesMax - bytes;
      isCut ||= chunk.length > rest;
      if (rest > 0) gathered.push(chunk.subarray(0, rest));
      bytes += Math.min(chunk.length, rest);
      if (isCut) break;
    }
    return { bytes: gathered.whole(), end: isCut ? "cut" : response.complete ? "whole" : "broken" };
  } catch {
    return { bytes: gathered.whole(), end: isCut ? "cut" : "broken" };
  } finally {
    response.destroy();
  }
}

/** One layer only: what is packed several times over is not worth the risk, and stays packed. */
const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

export const isUnpacked = (encoding: string | undefined): boolean =>
  encoding !== undefined && Object.hasOwn(UNPACK, encoding.trim().toLowerCase());

export function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase();
  const unpack = encoding !== undefined && Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined;
  // The reader hears of errors by reading.
  return unpack === undefined ? response : pipeline(response, unpack(), () => {});
}
