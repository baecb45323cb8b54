import { type Digest, digestOf } from "../domain/digest.ts";
import type { Feedback, GovernorSays } from "../domain/feedback.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Governor, Governors } from "../ports/governor.ts";

interface HearParts {
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * What each of them says of the question, in their order. With `stopOnFirstReject` those after the first no are not asked,
 * and are not in the list.
 */
export async function hearGovernors(
  { governors, stopOnFirstReject }: Pick<Governors, "governors" | "stopOnFirstReject">,
  question: JsonObject,
  parts: HearParts,
  signal: AbortSignal,
): Promise<readonly Feedback[]> {
  const inputHash = digestOf(question);
  const hear = (governor: Governor) => heard(governor, question, inputHash, parts, signal);
  if (!stopOnFirstReject) return await Promise.all(governors.map(hear));
  const feedback: Feedback[] = [];
  for (const governor of governors) {
    const one = await hear(governor);
    feedback.push(one);
    if (one.status === "reject") break;
  }
  return feedback;
}

async function heard(
  { id, requiresManual, ask }: Governor,
  question: JsonObject,
  inputHash: Digest,
  { clock }: HearParts,
  signal: AbortSignal,
): Promise<Feedback> {
  const startMs = clock.monotonicMs();
  // A port that breaks its promise is no reason to let a call through, nor to lose what the others say.
  const says = await Promise.try(ask, question, signal).catch(() => BROKEN);
  return { ...says, id, requiresManual, inputHash, latencyMs: Math.max(0, Math.round(clock.monotonicMs() - startMs)) };
}

const BROKEN: GovernorSays = { status: "error", messages: ["it can't be asked (take it out, and tell its author)"] };
