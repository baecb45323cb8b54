import type { Answered } from "../format.ts";
import { isBad } from "../outcome-in-words.ts";
import { type ImageType, type Shown, shownOutcome } from "../shown-content.ts";

export interface BedrockMessage {
  role: "user";
  content: { toolResult: BedrockResult }[];
}

interface BedrockResult {
  toolUseId: string;
  content: BedrockContent[];
  status: "success" | "error";
}

type BedrockContent =
  | { text: string }
  | { image: { format: "png" | "jpeg" | "gif" | "webp"; source: { bytes: Uint8Array } } };

/** One message for all results of a turn. */
export const bedrockResults = (answers: readonly Answered[]): BedrockMessage[] =>
  answers.length === 0 ? [] : [{ role: "user", content: answers.map((each) => ({ toolResult: result(each) })) }];

const result = ({ call, outcome }: Answered): BedrockResult => ({
  toolUseId: call.id,
  content: shownOutcome(outcome, "shown").map(content),
  status: isBad(outcome) ? "error" : "success",
});

const IMAGE_FORMATS = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
} as const satisfies Record<ImageType, string>;

const content = (item: Shown): BedrockContent =>
  item.kind === "text"
    ? { text: item.text }
    : { image: { format: IMAGE_FORMATS[item.mediaType], source: { bytes: Buffer.from(item.data, "base64") } } };
