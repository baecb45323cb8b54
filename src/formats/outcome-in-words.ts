import type { Code } from "../domain/codes.ts";
import type { Failed, Outcome, Pending, Refused, Unknown } from "../domain/outcome.ts";
import { ADVICE, OPERATOR } from "./outcome-advice.ts";

/** What a model has to be told besides the content: what happened, and what to do. Null = the call completed. */
export function outcomeInWords(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case "completed":
      return null;
    case "failed":
      return failedInWords(outcome);
    case "refused":
      return refusedInWords(outcome);
    case "pending":
      return pendingInWords(outcome);
    case "unknown":
      return unknownInWords(outcome);
    default:
      return outcome satisfies never;
  }
}

/** Whether the model must not take it for done: everything but completed. */
export const isBad = ({ kind }: Outcome): boolean => kind !== "completed";

function failedInWords({ error: { code, message, retryable, retryAfterMs } }: Failed): string {
  const advice = ADVICE[code];
  const again =
    retryAfterMs === undefined
      ? "The same call may succeed later."
      : `The same call may succeed in ${Math.ceil(retryAfterMs / 1000)} s.`;
  return [`The tool ran and failed (${code}): ${sentence(message)}`, advice, ...(retryable ? [again] : [])]
    .filter((part) => part !== null)
    .join(" ");
}

function refusedInWords({ refusal: { code, message, ruleId, hint, errors = [] } }: Refused): string {
  const rule = ruleId === undefined ? "" : `, rule ${ruleId}`;
  const advice = adviceFor(code, hint);
  return [
    `Refused, nothing was run (${code}${rule}): ${sentence(message)}`,
    ...(errors.length > 1 ? errors.map((error) => `- ${error.message}`) : []),
    ...(advice === null ? [] : [advice]),
  ].join("\n");
}

/** What the model does about it; where only people can do something, what that is. */
function adviceFor(code: Code, hint: string | undefined): string | null {
  const advice = ADVICE[code];
  if (hint === undefined || (advice !== null && advice !== OPERATOR)) return advice;
  return advice === null ? sentence(hint) : `${OPERATOR.slice(0, -1)}: ${sentence(hint)}`;
}

const pendingInWords = ({ approval: { id, risk, reasons, deadline } }: Pending): string =>
  [
    `Not run yet: a person has to approve this call first (approval ${id}, risk ${risk}, until ${deadline}).`,
    ...reasons.map((reason) => `- ${reason}`),
    "Don't make the call again: once it is approved it runs by itself. Go on with something else, or tell the user what waits.",
  ].join("\n");

function unknownInWords({ error: { code, message, retryable } }: Unknown): string {
  const advice = retryable ? "It only reads, so it may be made again." : ADVICE[code];
  return `The call was started and nobody knows how it ended (${code}): ${sentence(message)} ${advice}`;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
