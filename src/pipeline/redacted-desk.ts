import type { JudgedCall } from "../domain/call.ts";
import type { Desk } from "../ports/desk.ts";
import type { Redactor } from "../redact/redactor.ts";

/**
 * Whoever is asked sees all of the plan, with the operator's secrets by name. What only looks like a secret stays: a
 * guess that hides a part of what will run would let it be approved unseen.
 */
export function redactedDesk(desk: Desk, redactor: Redactor): Desk {
  return { ask: (call, deadlineMs, signal) => desk.ask(shownCall(call, redactor.certain), deadlineMs, signal) };
}

/** The seal stays: it is the digest of what will run, and not of what is shown. */
function shownCall(call: JudgedCall, redactor: Redactor): JudgedCall {
  const { toolName, rawInput, input, actor, plan, verdict } = call;
  const shown = redactor.redactJson({ toolName, rawInput, input, actor, plan, verdict });
  return { ...call, ...shown.value };
}
