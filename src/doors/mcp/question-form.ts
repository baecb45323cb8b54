import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { PersonsAnswer, ShownPlan } from "../../domain/question.ts";
import { visibleText } from "../../domain/visible.ts";
import type { ProposedRule } from "../../wiring/always.ts";
import { planLines } from "../wire/plan-lines.ts";

/** What came back from a form. `withdraw`: closed without an answer, and the call is taken back. */
export type FormAnswer = { readonly kind: "approve" | "always" | "reject" | "withdraw" };

/**
 * A question as an MCP client shows it to its person. INVARIANT (shown whole): all of the plan is in the message, and
 * what "always" would save too. Null: it is not for them, or there is no such rule.
 */
export function questionForm(shown: ShownPlan, always: ProposedRule | null): ElicitRequestFormParams {
  return {
    message: [
      ...planLines(shown),
      ...(always === null ? [] : ["", "`always` runs it and saves this rule:", visibleText(always.text.trimEnd())]),
    ].join("\n"),
    requestedSchema: {
      type: "object",
      // Plain words: the titled kinds of an enumeration differ from revision to revision.
      properties: {
        answer: { type: "string", title: "Run this call?", enum: always === null ? ONCE_OR_NOT : WITH_ALWAYS },
      },
      required: ["answer"],
    },
  };
}

const ONCE_OR_NOT = ["approve", "reject"];
const WITH_ALWAYS = ["approve", "always", "reject"];

/** What a client sent back, which may be anything. Whatever is no clear yes is a no. */
export function formAnswer(action: unknown, content: unknown): FormAnswer {
  if (action === "cancel") return { kind: "withdraw" };
  if (action !== "accept" || typeof content !== "object" || content === null) return { kind: "reject" };
  const { answer } = content as { readonly answer?: unknown };
  return answer === "approve" || answer === "always" ? { kind: answer } : { kind: "reject" };
}

/** For the desk. Who answered is as much as the door can tell. */
export const personsAnswer = (kind: "approve" | "always" | "reject", who: string): PersonsAnswer => ({
  kind: kind === "reject" ? "reject" : "approve",
  who,
});
