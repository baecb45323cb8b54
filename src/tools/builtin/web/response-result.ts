import { CODES } from "../../../domain/codes.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { Content } from "../../../domain/outcome.ts";
import type { RunResult } from "../../../domain/tool.ts";
import type { WebAnswer, WebFault, WebResponse } from "../../../ports/web.ts";
import { mediaTypeOf, textOfResponse } from "./response-text.ts";

/** An answer is an answer, whatever its status: who asked reads it there. */
export function resultOf(answer: WebAnswer): RunResult {
  switch (answer.kind) {
    case "answered":
      return {
        kind: "completed",
        content: contentOf(answer.response),
        structured: structuredOf(answer.response),
      };
    case "failed":
      return failedBy(answer.fault, answer.response === undefined ? [] : contentOf(answer.response));
    case "lost":
    case "stopped":
      return { kind: answer.kind };
    default:
      return answer satisfies never;
  }
}

export const failedBy = ({ code, message, hint }: WebFault, content: readonly Content[] = []): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: CODES[code].retryable, ...(hint !== undefined && { detail: hint }) },
  content,
});

const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function contentOf(response: WebResponse): readonly Content[] {
  const { body, headers, urls, isCut } = response;
  if (body.length === 0) return [];
  const text = textOfResponse(response);
  if (text !== null) return [{ type: "text", text }];
  const mediaType = mediaTypeOf(headers["content-type"]) || "application/octet-stream";
  const blob = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64");
  // A part of a picture is no picture.
  if (IMAGES.has(mediaType) && !isCut) return [{ type: "image", mediaType, data: blob }];
  return [{ type: "resource", uri: urls.at(-1) ?? urls[0], mediaType, blob }];
}

const structuredOf = ({ status, headers, urls, body, isCut }: WebResponse): JsonObject => ({
  status,
  url: urls.at(-1) ?? urls[0],
  urls,
  headers,
  bytes: body.length,
  ...(isCut && { truncated: true }),
});
