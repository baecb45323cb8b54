import type { JsonObject } from "../../domain/json.ts";
import { isTerminal } from "../../domain/state.ts";
import { visibleText } from "../../domain/visible.ts";
import type { Identity } from "../wire/identity.ts";
import type { DoorParts } from "../wire/server-env.ts";
import { textPart } from "./content-parts.ts";
import { artifactsOf, statusFromView, taskFromView } from "./task-from-view.ts";
import { isThereFor, settledView, type TaskView } from "./task-view.ts";

export interface Watcher {
  readonly parts: Pick<DoorParts, "gate" | "tokens">;
  readonly identity: Identity;
  readonly signal: AbortSignal;
}

type Change =
  | { readonly kind: "state"; readonly view: TaskView }
  /** Live only. */
  | { readonly kind: "progress"; readonly message: string; readonly view: TaskView };

/**
 * A call as it is now, then whatever becomes of it, until it has ended. INVARIANT (told by the ledger): whoever comes in the
 * middle, or behind a new start of the server, hears the same end. Nothing is given where there is no such task for them.
 */
async function* taskChanges(callId: string, { parts, identity, signal }: Watcher): AsyncGenerator<Change, void, void> {
  const { gate } = parts;
  // From before the look, so that nothing falls between it and what is told.
  const after = gate.events.lastSeq();
  const first = await settledView(callId, identity, parts);
  if (first === null) return;
  let view = first;
  yield { kind: "state", view };
  const { sessionId } = view.execution;
  if (isTerminal(view.execution.state)) return;
  for await (const page of gate.events.follow({ after, sessionId, signal })) {
    const about = page.filter(({ data }) => data["tool_id"] === callId);
    // What a call prints comes without an entry, and so without a look at the whole.
    if (!isThereFor(view.execution, identity, gate)) return;
    for (const { name, data } of about) {
      if (name === "tool.progress") yield { kind: "progress", message: String(data["message"]), view };
    }
    if (about.every(({ id }) => id === null)) continue;
    const now: TaskView | null = await settledView(callId, identity, parts);
    if (now === null) return;
    if (now.execution.state === view.execution.state) continue;
    view = now;
    yield { kind: "state", view };
    if (isTerminal(view.execution.state)) return;
  }
}

/** The same as a stream tells it. INVARIANT (task first): the first item of every turn is the task. */
export async function* taskItems(callId: string, watcher: Watcher): AsyncGenerator<JsonObject, void, void> {
  const { gate } = watcher.parts;
  let isFirst = true;
  let steps = 0;
  for await (const change of taskChanges(callId, watcher)) {
    const { execution } = change.view;
    const id = { taskId: callId, contextId: execution.sessionId };
    if (change.kind === "progress") {
      yield { statusUpdate: { ...id, status: progressStatus(change, ++steps) } };
      continue;
    }
    if (isFirst) yield { task: taskFromView(change.view, gate) };
    else {
      for (const artifact of artifactsOf(execution)) yield { artifactUpdate: { ...id, artifact, lastChunk: true } };
      const { metadata } = taskFromView(change.view, gate, "bare");
      yield { statusUpdate: { ...id, status: statusFromView(change.view, gate), ...(metadata && { metadata }) } };
    }
    isFirst = false;
  }
}

function progressStatus({ message, view }: Extract<Change, { kind: "progress" }>, step: number): JsonObject {
  const { callId, sessionId } = view.execution;
  const said = { messageId: `${callId}-step-${step}`, contextId: sessionId, taskId: callId, role: "ROLE_AGENT" };
  return { state: "TASK_STATE_WORKING", message: { ...said, parts: [textPart(visibleText(message))] } };
}

/** Once it has ended, or the signal came first: then as it was last. Null: there is no such task. */
export async function whenOver(callId: string, watcher: Watcher): Promise<TaskView | null> {
  let last: TaskView | null = null;
  for await (const { view } of taskChanges(callId, watcher)) last = view;
  return last;
}
