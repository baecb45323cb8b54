import { type ApprovedCall, type JudgedCall, pass, refuse } from "../domain/call.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Answer, Desk } from "../ports/desk.ts";
import type { Stage } from "./stage.ts";

/** Fifth stage. A rule's allow passes; an ask becomes a question, and a person's word decides. */
export const approve: Stage<JudgedCall, ApprovedCall, { desk: Desk; clock: Clock }> = (call, ports, signal) =>
  call.verdict.effect === "allow"
    ? pass({ ...call, approval: { by: "rule", who: call.verdict.ruleId } })
    : askPerson(call, ports, signal);

const askPerson: Stage<JudgedCall, ApprovedCall, { desk: Desk; clock: Clock }> = async (call, ports, signal) => {
  const answer = await answerInTime(call, ports, signal);
  switch (answer.kind) {
    case "approve":
      return pass({ ...call, approval: { by: "person", who: answer.who } });
    case "reject":
      return no(
        "APPROVAL_REJECTED",
        `${answer.who} said no${answer.reason ? `: ${answer.reason}` : ""}`,
        "do it another way",
      );
    case "expired":
      return no("APPROVAL_EXPIRED", "nobody answered in time", "call again while somebody is there to answer");
    case "nobody":
      return no(
        "APPROVAL_UNAVAILABLE",
        "the call needs a person's answer and nobody can be asked here",
        "run it in a terminal, or say `--yes` if you have read what it does",
      );
    case "cancelled":
      return no("CANCELLED", "the call was cancelled while its question was open");
    default:
      // A desk may be anybody's code. What it says that is none of these answers is no yes.
      answer satisfies never;
      throw new TypeError("the desk gave something else than an answer");
  }
};

/** Deadline and cancel hold whatever the desk does: an answer that comes after them is not heard. */
async function answerInTime(
  call: JudgedCall,
  { desk, clock }: { desk: Desk; clock: Clock },
  signal: AbortSignal,
): Promise<Answer> {
  if (signal.aborted) return { kind: "cancelled" };
  const timeMs = LIMITS[call.verdict.risk === "HIGH" ? "approvalHighMs" : "approvalMs"].default;
  const { promise: ended, resolve: end } = Promise.withResolvers<Answer>();
  const cancel = () => end({ kind: "cancelled" });
  const disarm = clock.after(timeMs, () => end({ kind: "expired" }));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([ended, desk.ask(call, clock.nowMs() + timeMs, signal)]);
  } finally {
    disarm();
    signal.removeEventListener("abort", cancel);
  }
}

const no = (
  code: "APPROVAL_REJECTED" | "APPROVAL_EXPIRED" | "APPROVAL_UNAVAILABLE" | "CANCELLED",
  message: string,
  hint?: string,
) => refuse({ code, stage: "approve", message, ...(hint && { hint }) });
