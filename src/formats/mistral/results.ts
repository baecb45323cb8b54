import type { Answered } from "../format.ts";
import { outcomeAsText } from "../shown-content.ts";

export type MistralMessage = {
  role: "tool";
  name: string;
  content: string;
} & ({ toolCallId: string } | { tool_call_id: string });

/** A message for each, spelt as the response was. */
export const mistralResults = (answers: readonly Answered[]): MistralMessage[] =>
  answers.map(({ call, outcome }) => ({
    role: "tool",
    name: call.name,
    content: outcomeAsText(outcome),
    ...(call.spelling === "camelCase" ? { toolCallId: call.id } : { tool_call_id: call.id }),
  }));
