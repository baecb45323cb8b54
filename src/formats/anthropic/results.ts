import type { Answered } from "../format.ts";
import { isBad } from "../outcome-in-words.ts";
import { type ImageType, type Shown, shownOutcome } from "../shown-content.ts";

export interface AnthropicMessage {
  role: "user";
  content: AnthropicResult[];
}

interface AnthropicResult {
  type: "tool_result";
  tool_use_id: string;
  content: AnthropicBlock[];
  is_error?: boolean;
}

type AnthropicBlock =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } };

/** One message for all results of a turn: the API takes them in no other way. */
export const anthropicResults = (answers: readonly Answered[]): AnthropicMessage[] =>
  answers.length === 0 ? [] : [{ role: "user", content: answers.map(result) }];

/** The API refuses a request in which an error holds anything but text. */
const result = ({ call, outcome }: Answered): AnthropicResult => ({
  type: "tool_result",
  tool_use_id: call.id,
  content: shownOutcome(outcome, isBad(outcome) ? "described" : "shown").map(block),
  ...(isBad(outcome) && { is_error: true }),
});

const block = (item: Shown): AnthropicBlock =>
  item.kind === "text"
    ? { type: "text", text: item.text }
    : { type: "image", source: { type: "base64", media_type: item.mediaType, data: item.data } };
