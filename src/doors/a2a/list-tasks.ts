import { setImmediate as turn } from "node:timers/promises";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Execution } from "../../wiring/executions.ts";
import { rolesNow } from "../wire/roles-now.ts";
import { checker } from "./checked-params.ts";
import { type Asked, type Operation, result } from "./operation.ts";
import { statusTime, taskFromView } from "./task-from-view.ts";
import { callStatesOf, stateOf, TASK_STATES, type TaskState } from "./task-states.ts";
import { askedOf, isOwn, type TaskView, taskView } from "./task-view.ts";

const ID = { type: "string", maxLength: LIMITS.idLength.maximum } as const;

const checkList = checker({
  type: "object",
  properties: {
    contextId: ID,
    status: { enum: ["", "TASK_STATE_UNSPECIFIED", ...TASK_STATES] },
    pageSize: { type: "integer", minimum: LIMITS.pageItems.minimum, maximum: LIMITS.pageItems.maximum },
    pageToken: { type: "string", pattern: "^(call_[!-~]{1,200})?$" },
    historyLength: { type: "integer", minimum: 0 },
    statusTimestampAfter: { type: "string", maxLength: 64 },
    includeArtifacts: { type: "boolean" },
  },
});

/** So many calls are looked at for a page, whoever made them: behind that it is short, and says where to go on. */
const LOOKED_AT_MAX = 500;
const STEP = 50;

/** A page ends behind the task with which its artifacts come to so many characters: a hundred of them may be 100 MB. */
const ARTIFACT_CHARS_MAX = 4 * 1024 * 1024;

interface Wanted {
  readonly contextId: string;
  readonly state: TaskState | null;
  readonly afterMs: number;
  readonly size: number;
}

/** Tasks that the caller has made, the newest first, by who asks and by nothing that they say. */
export const listTasks: Operation = async (asked) => {
  const read = checkList(asked.params);
  if (!read.ok) return { kind: "error", error: read.error };
  const { contextId = "", status = "", pageToken = "", statusTimestampAfter = "", includeArtifacts } = read.value;
  const state = TASK_STATES.find((known) => known === status) ?? null;
  const size = read.value.pageSize ?? LIMITS.pageItems.default;
  const afterMs = statusTimestampAfter === "" ? 0 : Date.parse(statusTimestampAfter);
  if (Number.isNaN(afterMs)) return noTime();
  const looked = await page({ contextId, state, afterMs, size }, pageToken, asked);
  const { gate } = asked.parts;
  const { tasks, next } = includeArtifacts
    ? await withArtifacts(looked, asked)
    : { tasks: looked.views.map((view) => taskFromView(view, gate, "bare")), next: looked.next };
  // Counting all of them would mean to look at all of them: it is one more than the page where there are more.
  const totalSize = tasks.length + (next === "" ? 0 : 1);
  return result({ tasks, nextPageToken: next, pageSize: size, totalSize });
};

/** INVARIANT (bounded page): what one request holds and sends is a few results, however many it asks for. */
async function withArtifacts({ views, next }: Page, { identity, parts }: Asked) {
  const tasks: JsonObject[] = [];
  let chars = 0;
  for (const view of views) {
    const { callId } = view.execution;
    const whole = await taskView(callId, identity, parts.gate);
    const task = taskFromView(whole ?? view, parts.gate, whole === null ? "bare" : "all");
    tasks.push(task);
    chars += JSON.stringify(task).length;
    if (chars > ARTIFACT_CHARS_MAX && view !== views.at(-1)) return { tasks, next: callId };
    await turn();
  }
  return { tasks, next };
}

interface Page {
  readonly views: readonly TaskView[];
  /** Empty: there are no more. */
  readonly next: string;
}

async function page(wanted: Wanted, token: string, asked: Asked): Promise<Page> {
  const views: TaskView[] = [];
  let before = token;
  for (let seen = 0; seen < LOOKED_AT_MAX; seen += STEP) {
    const { executions, next } = asked.parts.gate.executions.list({ limit: STEP, ...filterOf(wanted, before, asked) });
    for (const execution of executions) {
      const view = await wantedView(execution, wanted, asked);
      if (view === null) continue;
      views.push(view);
      if (views.length === wanted.size) return { views, next: execution.callId };
    }
    if (next === null) return { views, next: "" };
    before = next;
    await turn(); // others are answered in between
  }
  return { views, next: before };
}

function filterOf({ contextId, state }: Wanted, before: string, { identity }: Asked) {
  const own = identity.session?.id;
  // Another context than its session's has no task of an agent in it: both have to fit.
  const sessionId = contextId === "" ? own : contextId;
  return {
    ...(before !== "" && { before }),
    ...(sessionId !== undefined && { sessionId }),
    ...(state !== null && { states: callStatesOf(state) }),
  };
}

async function wantedView(execution: Execution, { state, afterMs }: Wanted, asked: Asked): Promise<TaskView | null> {
  const { identity: given, parts } = asked;
  const identity = { ...given, roles: rolesNow(given, parts.gate) };
  if (!isOwn(execution, identity)) return null;
  if (Date.parse(statusTime(execution) ?? "") < afterMs) return null;
  const view = { execution, withheld: null, ...(await askedOf(execution, identity, parts.gate)) };
  return state === null || stateOf(view) === state ? view : null;
}

const noTime = () => {
  const message = "`statusTimestampAfter` has to be a time of ISO 8601";
  const errors = [{ field: "statusTimestampAfter", rule: "format", message }];
  return { kind: "error", error: { reason: "INVALID_PARAMS", message, errors } } as const;
};
