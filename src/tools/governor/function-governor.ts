import type { FeedbackStatus } from "../../domain/feedback.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Governor } from "../../ports/governor.ts";
import { readJson } from "../../schema/json/read-json.ts";
import { errorSays, saysFrom } from "./answer.ts";
import { type GovernorParts, makeGovernor } from "./make-governor.ts";

/** What a governor answers, in the form that all of them have. */
export interface GovernorAnswer {
  readonly status: FeedbackStatus;
  readonly optionId?: string;
  readonly score?: number;
  readonly messages?: readonly string[];
  readonly metadata?: JsonObject;
}

/** A governor of the program that opens the gate, in its own process. */
export interface FunctionGovernor {
  readonly id: string;
  /** A yes of this one is not enough: a person has to look all the same. */
  readonly requiresManual?: boolean;
  readonly timeoutMs?: number;
  readonly ask: (question: JsonObject, signal: AbortSignal) => GovernorAnswer | PromiseLike<GovernorAnswer>;
}

const { default: TIMEOUT_MS, minimum, maximum } = LIMITS.governorTimeoutMs;

export function functionGovernor(
  { id, requiresManual = false, timeoutMs = TIMEOUT_MS, ask }: FunctionGovernor,
  parts: GovernorParts,
): Governor {
  if (!Number.isInteger(timeoutMs) || timeoutMs < minimum || timeoutMs > maximum)
    throw new TypeError(`governor \`${id}\`: its \`timeoutMs\` has to be from ${minimum} to ${maximum}`);
  return makeGovernor({ id, requiresManual, timeoutMs }, parts, async (question, signal) => {
    // A copy: what it changes is not what the next one is asked, nor what is recorded.
    const answering = Promise.try(ask, structuredClone(question), signal);
    const answer = await Promise.race([answering, ended(signal)]);
    // Not everybody's `ask` is TypeScript: read as the answers of others are.
    const text = JSON.stringify(answer) as string | undefined;
    if (text === undefined) return errorSays("it gave nothing back", "give back `{ status }`");
    return saysFrom(readJson(text, { bytes: LIMITS.governorAnswerBytes.maximum }));
  });
}

/** A function can't be stopped: it is not waited for any longer. */
const ended = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
