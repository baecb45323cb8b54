import type { Answered } from "../format.ts";
import { type Shown, shownOutcome } from "../shown-content.ts";

export interface ResponsesItem {
  type: "function_call_output";
  call_id: string;
  output: string | ResponsesContent[];
}

type ResponsesContent = { type: "input_text"; text: string } | { type: "input_image"; image_url: string };

/** An item for each. There is no flag for errors: the text says it. */
export const responsesResults = (answers: readonly Answered[]): ResponsesItem[] =>
  answers.map(({ call, outcome }) => ({
    type: "function_call_output",
    call_id: call.id,
    output: output(shownOutcome(outcome, "shown")),
  }));

const output = (items: readonly Shown[]): string | ResponsesContent[] =>
  items.every((item) => item.kind === "text") ? items.map(({ text }) => text).join("\n") : items.map(content);

const content = (item: Shown): ResponsesContent =>
  item.kind === "text"
    ? { type: "input_text", text: item.text }
    : { type: "input_image", image_url: `data:${item.mediaType};base64,${item.data}` };
