import type { Refusal } from "../../domain/outcome.ts";
import type { Change, Committed } from "../../ports/journal.ts";

/** What keeps a change from being written while the journal is well: each is the change's own. */

export const illegal = ({ from, to }: Change): Committed => ({
  kind: "failed",
  refusal: {
    code: "ILLEGAL_TRANSITION",
    stage: "journal",
    message: `a call can't go from \`${from}\` to \`${to}\` now`,
  } satisfies Refusal,
});

export const GONE: Committed = {
  kind: "failed",
  refusal: {
    code: "SESSION_UNKNOWN",
    stage: "journal",
    message: "the session is not open any more, or never was",
    hint: "`toolgate sessions list` shows those that are",
  } satisfies Refusal,
};

/** It is open, and was changed between being read and being written. */
export const RENEWED: Committed = {
  kind: "failed",
  refusal: {
    code: "CONFLICT",
    stage: "journal",
    message: "the session's lease was renewed by somebody else at the same time",
    hint: "look at what it is now with `toolgate sessions list`, and renew that",
  } satisfies Refusal,
};

export const UNWRITABLE: Committed = {
  kind: "failed",
  refusal: {
    code: "FAULT",
    stage: "journal",
    message: "the gate made a mistake: what it wanted to record has no place in the ledger",
    hint: "please report it",
  } satisfies Refusal,
};
