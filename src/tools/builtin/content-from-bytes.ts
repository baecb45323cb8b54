import { Buffer } from "node:buffer";
import type { Content } from "../../domain/outcome.ts";
import { mediaTypeOf } from "./media-type.ts";
import { textFrom } from "./text-from.ts";

/** Bytes that are not UTF-8 are not forced into text: nothing of them may be lost. A part of a picture is no picture. */
export function contentFromBytes(bytes: Uint8Array, uri: string, what: "whole" | "part"): Content {
  const text = textFrom(bytes);
  if (text !== null) return { type: "text", text };
  const mediaType = what === "whole" ? mediaTypeOf(bytes) : "application/octet-stream";
  return mediaType.startsWith("image/")
    ? { type: "image", mediaType, data: base64(bytes) }
    : { type: "resource", uri, mediaType, blob: base64(bytes) };
}

export const base64Content = (bytes: Uint8Array, uri: string): Content => ({
  type: "resource",
  uri,
  mediaType: mediaTypeOf(bytes),
  blob: base64(bytes),
});

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
