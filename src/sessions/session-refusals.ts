import { SCOPES } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { InputError, Refusal } from "../domain/outcome.ts";

/** The no of everything about sessions. */

export const SESSION_UNKNOWN: Refusal = {
  code: "SESSION_UNKNOWN",
  stage: "judge",
  message: "no open session has this token or id",
  hint: "open one with `toolgate sessions open`",
};

/** For who has named it by its id. */
export const ID_UNKNOWN: Refusal = {
  ...SESSION_UNKNOWN,
  message: "no open session has this id",
  hint: "`toolgate sessions list` shows those that are open",
};

export const PARENT_UNKNOWN: Refusal = {
  ...SESSION_UNKNOWN,
  message: "no open session has the id that was named as the parent",
  hint: "`toolgate sessions list` shows those that are open",
};

export const LEASE_EXPIRED: Refusal = {
  code: "LEASE_EXPIRED",
  stage: "judge",
  message: "the session's lease has expired",
  hint: "open a new session",
};

export const LEASE_REVOKED: Refusal = {
  code: "LEASE_REVOKED",
  stage: "judge",
  message: "the session's lease, or one that it lies within, was revoked",
  hint: "ask whoever gave it",
};

export const SESSION_CLOSED: Refusal = {
  code: "LEASE_REVOKED",
  stage: "judge",
  message: "the session, or one that it lies within, was closed",
  hint: "open a new session",
};

/** Also where it is not known which: sessions opened before this was written down are opened anew. */
export const OTHER_WORKSPACE: Refusal = {
  code: "LEASE_SCOPE",
  stage: "judge",
  message: "the session was opened for another workspace than this gate's",
  hint: "use it in the workspace that it was opened in, or have one opened here with `toolgate sessions open`",
};

export const LEASE_UNREADABLE: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "judge",
  message: "the session's lease can't be read, so nothing runs",
  hint: "`toolgate ledger verify` says what is wrong with the journal",
};

export const notALease = (errors: readonly InputError[]): Refusal => ({
  code: "INVALID_ARGUMENTS",
  stage: "validate",
  message: "this is no lease",
  hint: leaseHint(errors[0]),
  errors,
});

function leaseHint(error: InputError | undefined): string {
  const { field, rule } = error ?? { field: "", rule: "" };
  const isScope = rule === "type" && (SCOPES as readonly string[]).includes(field);
  return isScope
    ? `write a list, such as \`${field}: [a, b]\`, or \`${field}: everything\``
    : "`toolgate sessions --help` says what a lease holds";
}

export const widened = (what: string): Refusal => ({
  code: "LEASE_SCOPE",
  stage: "judge",
  message: `a lease can't be renewed to more than it was: ${what}`,
  hint: "open a new session for more",
});

export const LABEL_TOO_LONG: Refusal = {
  code: "INVALID_ARGUMENTS",
  stage: "validate",
  message: `a label has at most ${LIMITS.sessionLabel.maximum} characters`,
};

export const TOO_DEEP: Refusal = {
  code: "LEASE_SCOPE",
  stage: "judge",
  message: `sessions lie within each other ${LIMITS.leaseDepth.maximum} deep at most`,
};

export const TOO_MANY: Refusal = {
  code: "RATE_LIMITED",
  stage: "judge",
  message: "too many wrong tokens came in the last minute",
  hint: "wait a minute; a right token is not held up",
};
