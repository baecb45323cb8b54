import type { AnswerResult } from "../../wiring/approvals.ts";
import { answeringRoles } from "../wire/answering-roles.ts";
import { mayUse } from "../wire/identity.ts";
import { type Answer, type Asked, failed, needsRole, noSuchTask } from "./operation.ts";
import type { Meaning, ReadMessage } from "./read-message.ts";
import { taskItems, whenOver } from "./task-changes.ts";
import { type TaskView, taskView } from "./task-view.ts";
import { type Turn, taskResult } from "./turn.ts";

type Said = Extract<Meaning, { kind: "answer" }>;

/** A person's answer to the question of a task, which is the desk's to take or not: the first one there wins. */
export async function answerTask(
  said: Said,
  { taskId, contextId }: ReadMessage,
  asked: Asked,
  how: Turn,
): Promise<Answer> {
  if (taskId === undefined) return invalid("message.taskId", "an answer names the task that it is about");
  const { identity, parts } = asked;
  const view = await taskView(taskId, identity, parts.gate);
  if (view === null) return noSuchTask();
  if (contextId !== undefined && contextId !== view.execution.sessionId)
    return invalid("message.contextId", "the task is of another context");
  const refused = whyNot(view, asked);
  if (refused !== null) return refused;
  const { answer: kind, reason, planDigest } = said;
  const { actor: who } = identity;
  const roles = await answeringRoles(identity, parts);
  if (roles === null) return needsRole("approver");
  const answer = { kind, who, ...(reason !== undefined && { reason }) };
  const given = await parts.gate.executions.answer(view.question?.approvalId ?? "", answer, { roles, planDigest });
  return notTaken(given) ?? (await taken(taskId, given, asked, how));
}

/** INVARIANT (people only): an agent's token answers nothing, also no question of its own call. */
function whyNot({ question }: TaskView, { identity }: Asked): Answer | null {
  if (identity.session !== null)
    return failed("PERMISSION_DENIED", "an agent does not answer questions", {
      hint: "a person answers it in the console or with `toolgate approvals`; the task goes on by itself",
    });
  if (!mayUse(identity, "approver")) return needsRole("approver");
  return question === null ? failed("UNSUPPORTED_OPERATION", "this task waits for no answer") : null;
}

/** Null: the answer counts. */
function notTaken(given: AnswerResult): Answer | null {
  switch (given.kind) {
    case "recorded":
    case "counted":
      return null;
    case "ineligible":
      return failed("PERMISSION_DENIED", given.because, { code: "APPROVER_NOT_ELIGIBLE" });
    case "conflict": {
      const isLate = given.question.answer?.kind === "expired";
      const message = isLate ? "the deadline of this question is over" : "the question was answered before";
      return failed("UNSUPPORTED_OPERATION", message, { code: isLate ? "APPROVAL_EXPIRED" : "APPROVAL_CONFLICT" });
    }
    case "unknown":
      return failed("UNSUPPORTED_OPERATION", "this task waits for no answer", { code: "APPROVAL_UNKNOWN" });
    case "failed": {
      const { code, message, hint } = given.refusal;
      const isStale = code === "APPROVAL_STALE";
      return failed(isStale ? "UNSUPPORTED_OPERATION" : "UNAVAILABLE", message, {
        code,
        ...(hint !== undefined && { hint }),
      });
    }
    default:
      return given satisfies never;
  }
}

/** A yes that is not enough by itself leaves the task where it is. */
async function taken(taskId: string, given: AnswerResult, asked: Asked, how: Turn): Promise<Answer> {
  const { identity, parts, gone: signal } = asked;
  const watcher = { parts, identity, signal };
  if (how === "stream") return { kind: "stream", items: taskItems(taskId, watcher) };
  const isAwaited = how === "blocking" && given.kind === "recorded";
  const view = await (isAwaited ? whenOver(taskId, watcher) : taskView(taskId, identity, parts.gate));
  return view === null ? noSuchTask() : taskResult(view, asked);
}

const invalid = (field: string, message: string): Answer =>
  failed("INVALID_PARAMS", message, { errors: [{ field, rule: "required", message }] });
