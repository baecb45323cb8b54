import type { JsonObject } from "../../domain/json.ts";
import type { Content } from "../../domain/outcome.ts";

/** Content as parts of a message or an artifact. Bytes are Base64, as ProtoJSON writes them. */
export function partFrom(content: Content): JsonObject {
  switch (content.type) {
    case "text":
      return textPart(content.text);
    case "image":
      return { raw: content.data, mediaType: content.mediaType };
    case "diff":
      return { text: content.diff, mediaType: "text/x-diff", filename: content.path };
    case "resource": {
      const { uri, mediaType, text, blob } = content;
      const held = text !== undefined ? { text } : blob !== undefined ? { raw: blob } : { url: uri };
      return { ...held, ...(mediaType !== undefined && { mediaType }), metadata: { uri } };
    }
    default:
      return content satisfies never;
  }
}

export const textPart = (text: string): JsonObject => ({ text, mediaType: "text/plain" });

export const dataPart = (data: JsonObject): JsonObject => ({ data, mediaType: "application/json" });
