import type { Outcome } from "../../domain/outcome.ts";
import { isTerminal } from "../../domain/state.ts";
import type { GateCall } from "../../wiring/gate.ts";
import { TOO_MANY } from "../wire/call-rate.ts";
import { KEY_RULE } from "../wire/idempotency-key.ts";
import { mayUse } from "../wire/identity.ts";
import { sessionFor } from "../wire/session-for.ts";
import { takenOut } from "../wire/taken-out.ts";
import { answerTask } from "./answer-task.ts";
import { type Answer, type Asked, failed, needsRole, noSuchTask, type Operation } from "./operation.ts";
import { type Meaning, type ReadMessage, readMessage } from "./read-message.ts";
import { taskItems } from "./task-changes.ts";
import { taskView } from "./task-view.ts";
import { type Turn, taskResult } from "./turn.ts";
import { errorOfOutcome } from "./wire-codes.ts";

type Call = Extract<Meaning, { kind: "call" }>;

export const sendMessage: Operation = (asked) => turn(asked, "blocking");

export const sendStreamingMessage: Operation = (asked) => turn(asked, "stream");

async function turn(asked: Asked, by: "blocking" | "stream"): Promise<Answer> {
  const read = readMessage(asked.params);
  if (!read.ok) return { kind: "error", error: read.error };
  const { meaning, taskId, wantsPush, returnImmediately } = read.value;
  if (wantsPush) return failed("PUSH_NOTIFICATION_NOT_SUPPORTED", "no notifications are sent; follow the stream");
  const how: Turn = by === "blocking" && returnImmediately ? "immediate" : by;
  if (meaning.kind === "answer") return await answerTask(meaning, read.value, asked, how);
  if (taskId === undefined) return await makeCall(meaning, read.value, asked, how);
  const field = "message.taskId";
  const message = "a task is one call: leave `taskId` out to make another";
  return failed("INVALID_PARAMS", message, { errors: [{ field, rule: "const", message }] });
}

async function makeCall({ tool, input }: Call, { contextId }: ReadMessage, asked: Asked, how: Turn): Promise<Answer> {
  const { identity, parts, key } = asked;
  const { gate, callRate } = parts;
  if (!mayUse(identity, "caller")) return needsRole("caller");
  if (key === null) return failed("INVALID_PARAMS", KEY_RULE);
  const session = await sessionFor(identity, { gate, door: "a2a", named: contextId, field: "contextId" });
  if ("foreign" in session) return failed("PERMISSION_DENIED", session.foreign.detail, { hint: session.foreign.hint });
  const waitSeconds = callRate.waitSeconds(identity.actor);
  if (waitSeconds !== null) return failed("RESOURCE_EXHAUSTED", TOO_MANY, { retryAfterSeconds: waitSeconds });
  const call = { tool, input, session, actor: identity.actor, key };
  return how === "blocking" ? await blocking(call, asked) : await begun(call, asked, how);
}

/** Until it has ended, or waits for somebody: the call goes on without its caller in either case. */
async function blocking(call: GateCall, asked: Asked): Promise<Answer> {
  const outcome = await asked.parts.gate.executions.execute(call);
  return outcome === null ? busy() : await answerOf(outcome, asked);
}

async function begun(call: GateCall, asked: Asked, how: "immediate" | "stream"): Promise<Answer> {
  const { identity, parts, gone: signal } = asked;
  const one = await parts.gate.executions.begin(call);
  if (one === null) return busy();
  const view = await taskView(one.callId, identity, parts.gate);
  const isUnderWay = view !== null && !isTerminal(view.execution.state);
  if (isUnderWay && how === "immediate") return taskResult(view, asked);
  // Of a key that was used before, the outcome is that of another call.
  const ended = isUnderWay ? null : await one.outcome;
  if (ended !== null && how === "immediate") return await answerOf(ended, asked);
  const error = ended === null ? null : errorOfOutcome(ended);
  if (error !== null) return { kind: "error", error };
  return { kind: "stream", items: taskItems(ended?.callId ?? one.callId, { parts, identity, signal }) };
}

/** The task of a call whose outcome is at hand, as somebody may see it who still is who they were. */
async function answerOf(outcome: Outcome, asked: Asked): Promise<Answer> {
  const { identity, parts } = asked;
  const { gate, tokens } = parts;
  const error = errorOfOutcome(outcome);
  if (error !== null) return { kind: "error", error };
  // An agent hears that its call was not run, and so that its lease is over.
  const isNothing = identity.session !== null && (outcome.kind === "refused" || outcome.kind === "pending");
  const response = isNothing ? null : await takenOut(identity, tokens);
  if (response !== null) return { kind: "gone", response };
  const view = await taskView(outcome.callId, identity, gate);
  if (view === null) return noSuchTask();
  const isKnown = outcome.kind === "pending" || view.withheld !== null;
  return taskResult(isKnown ? view : { ...view, execution: { ...view.execution, outcome } }, asked);
}

const busy = (): Answer =>
  failed("UNAVAILABLE", "as many calls run and wait as the server takes on", { retryAfterSeconds: 1 });
