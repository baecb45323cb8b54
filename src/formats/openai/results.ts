import type { Answered } from "../format.ts";
import { outcomeAsText } from "../shown-content.ts";

export interface OpenAiMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** A message for each. There is no flag for errors: the text says it, in its first words. */
export const openAiResults = (answers: readonly Answered[]): OpenAiMessage[] =>
  answers.map(({ call, outcome }) => ({ role: "tool", tool_call_id: call.id, content: outcomeAsText(outcome) }));
