import type { Answered } from "../format.ts";
import { isBad } from "../outcome-in-words.ts";
import { type Shown, shownOutcome } from "../shown-content.ts";

export interface GeminiContent {
  role: "user";
  parts: { functionResponse: GeminiResponse }[];
}

interface GeminiResponse {
  id?: string;
  name: string;
  response: { output: string } | { error: string };
  parts?: { inlineData: { mimeType: string; data: string } }[];
}

/** One turn with a part for each, in the order of the calls: without ids that is what they are matched by. */
export const geminiResults = (answers: readonly Answered[]): GeminiContent[] =>
  answers.length === 0 ? [] : [{ role: "user", parts: answers.map((each) => ({ functionResponse: response(each) })) }];

function response({ call, outcome }: Answered): GeminiResponse {
  const items = shownOutcome(outcome, "shown");
  const text = items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n");
  const parts = items.flatMap(imagePart);
  return {
    // An id that the call does not have would match nothing.
    ...(call.isIdGiven && { id: call.id }),
    name: call.name,
    response: isBad(outcome) ? { error: text } : { output: text },
    ...(parts.length > 0 && { parts }),
  };
}

const imagePart = (item: Shown) =>
  item.kind === "image" ? [{ inlineData: { mimeType: item.mediaType, data: item.data } }] : [];
