import { LIMITS } from "../../domain/limits.ts";
import { isTerminal } from "../../domain/state.ts";
import { mayUse } from "../wire/identity.ts";
import { checker } from "./checked-params.ts";
import { failed, needsRole, noSuchTask, type Operation, result } from "./operation.ts";
import { taskItems, whenOver } from "./task-changes.ts";
import { taskFromView } from "./task-from-view.ts";
import { isOwn, settledView, taskView } from "./task-view.ts";

const ID = { type: "string", minLength: 1, maxLength: LIMITS.idLength.maximum } as const;
const checkId = checker({ type: "object", required: ["id"], properties: { id: ID } });
const checkGet = checker({
  type: "object",
  required: ["id"],
  properties: { id: ID, historyLength: { type: "integer", minimum: 0 } },
});

export const getTask: Operation = async ({ params, identity, parts }) => {
  const read = checkGet(params);
  if (!read.ok) return { kind: "error", error: read.error };
  const view = await settledView(read.value.id, identity, parts);
  return view === null ? noSuchTask() : result(taskFromView(view, parts.gate));
};

/** Streams end with their task, so that one which has ended has none. */
export const subscribeToTask: Operation = async ({ params, identity, parts, gone }) => {
  const read = checkId(params);
  if (!read.ok) return { kind: "error", error: read.error };
  const { id } = read.value;
  const view = await taskView(id, identity, parts.gate);
  if (view === null) return noSuchTask();
  if (isTerminal(view.execution.state))
    return failed("UNSUPPORTED_OPERATION", "the task has ended", { hint: "GetTask tells how" });
  return { kind: "stream", items: taskItems(id, { parts, identity, signal: gone }) };
};

/** Takes the call back, or stops it, and waits for what becomes of it. As over REST, who made it may, and who may say no to it. */
export const cancelTask: Operation = async ({ params, identity, parts, gone: signal }) => {
  const read = checkId(params);
  if (!read.ok) return { kind: "error", error: read.error };
  const { id } = read.value;
  const { gate } = parts;
  const view = await taskView(id, identity, gate);
  if (view === null) return noSuchTask();
  if (!mayUse(identity, "caller")) return needsRole("caller");
  const isTheirs = isOwn(view.execution, identity) || mayUse(identity, "admin");
  const by = { who: identity.actor, roles: identity.roles };
  const cancelled = await gate.executions.cancel(id, isTheirs ? undefined : by);
  switch (cancelled.kind) {
    case "cancelled": {
      const ended = await whenOver(id, { parts, identity, signal });
      return ended === null ? noSuchTask() : result(taskFromView(ended, gate));
    }
    case "unknown":
      return noSuchTask();
    case "over":
      return failed("TASK_NOT_CANCELABLE", "the task has ended already");
    case "elsewhere":
      return failed("TASK_NOT_CANCELABLE", "another process runs the call", { hint: "cancel it there" });
    case "ineligible":
      return failed("PERMISSION_DENIED", cancelled.because, { code: "APPROVER_NOT_ELIGIBLE" });
    case "failed":
      return failed("UNAVAILABLE", cancelled.refusal.message, { code: cancelled.refusal.code });
    default:
      return cancelled satisfies never;
  }
};

/** INVARIANT (no unwanted sender): nobody has this server connect to an address that they name. */
export const noPush: Operation = () =>
  failed("PUSH_NOTIFICATION_NOT_SUPPORTED", "no notifications are sent", {
    hint: "follow the task with SubscribeToTask, or ask with GetTask",
  });
