import { meaningOf } from "../../domain/codes.ts";
import type { Entry } from "../../domain/entry.ts";
import { onlyFacts } from "../../domain/entry-facts.ts";
import type { Question } from "../../domain/question.ts";
import type { Execution } from "../../wiring/executions.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { rolesNow } from "../wire/roles-now.ts";
import { approvalFrom } from "./approval-record.ts";
import { executionRecord } from "./execution-record.ts";

/** A call as somebody sees it: how it stands, and whom it concerns also what it was given and what came of it. */
export function recordFor(execution: Execution, identity: Identity, { executors }: Gate) {
  const { callId, actor, sessionId } = execution;
  const isOwn = identity.session === null ? actor === identity.actor : sessionId === identity.session.id;
  const isShown = isOwn || concerns(callId, identity, executors);
  return executionRecord(isShown ? execution : withoutWords(execution), executors.standing(callId));
}

/** The message of an error may quote the call or the reason of a person; the meaning of its code does not. */
function withoutWords(execution: Execution): Execution {
  const { error } = execution;
  const quiet = error === null ? null : { code: error.code, message: meaningOf(error.code) };
  return { ...execution, params: null, outcome: null, error: quiet };
}

/** The same for an entry of the ledger. Its hash covers the whole entry, so it names what is not there. */
export function entryFor(entry: Entry, identity: Identity, gate: Gate) {
  const isShown = shownTo(identity, gate);
  if (entry.callId === null || isShown === undefined || isShown(entry.callId)) return entry;
  const { facts, withheld } = onlyFacts(entry.body);
  return withheld.length === 0 ? entry : { ...entry, body: facts, withheld };
}

/** A question in a list: what the call would do and why it was answered so is for those who may see the call. */
export function approvalFor(question: Question, identity: Identity): ReturnType<typeof approvalFrom> {
  const record = approvalFrom(question);
  const isShown = question.shown.actor === identity.actor || mayUse(identity, "approver");
  return isShown ? record : { ...record, description: "", reasons: [], reason: null };
}

/**
 * Whether a call's record would be shown to somebody who listens. INVARIANT (knowing is not owning): what a call is given and
 * what it prints is heard by nobody else either. By the roles of each moment. Undefined: they are shown all that they hear of.
 */
export function shownTo(identity: Identity, gate: Gate): ((callId: string) => boolean) | undefined {
  if (identity.user === null) return undefined;
  return (callId) =>
    concerns(callId, { ...identity, roles: rolesNow(identity, gate) }, gate.executors) ||
    gate.executions.madeBy(callId) === identity.actor;
}

/** Beside who made it: who answers questions about it, and so is shown it anyway; and the executor that it is for. */
const concerns = (callId: string, identity: Identity, executors: Gate["executors"]): boolean =>
  mayUse(identity, "approver") || (mayUse(identity, "executor") && executors.isWith(callId, identity.actor));
