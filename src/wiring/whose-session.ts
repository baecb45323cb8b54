import type { Session } from "../domain/lease.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { AnswerOptions } from "./gate-call.ts";

/** As a program may hand it over, whatever the types say. */
interface Given {
  readonly session?: unknown;
}

/** Whose lease binds a call: the gate's own only where nobody is named. */
export const sessionOf = (given: Given, own: Session): Session => (isSession(given.session) ? given.session : own);

/**
 * INVARIANT (named is meant): who names a session and has none, because it was not checked or not found, does not get the
 * gate's own, which is bound by nothing.
 */
export const noSession = (given: Given): Refusal | null =>
  !("session" in given) || isSession(given.session) ? null : NO_SESSION;

/** The calls of a model's response, each in the name of whom the options name. */
export const madeFor = <Call extends object>(
  calls: readonly Call[],
  { concurrency: _, signal: __, whenAsked: ___, ...whose }: AnswerOptions,
): readonly (Call & Pick<AnswerOptions, "session" | "actor">)[] => calls.map((call) => ({ ...call, ...whose }));

function isSession(given: unknown): given is Session {
  const { id, project, lease } = (given ?? {}) as Partial<Session>;
  return typeof id === "string" && typeof project === "string" && typeof lease === "object" && lease !== null;
}

const NO_SESSION: Refusal = {
  code: "SESSION_UNKNOWN",
  stage: "resolve",
  message: "the call names a `session` that is none, so it is not known whose lease binds it",
  hint: "give the `session` of what `gate.sessions.open` or `gate.sessions.check` came back with, if it has one; leave it out for the gate's own, which is bound by nothing",
};
