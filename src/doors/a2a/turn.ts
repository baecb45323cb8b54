import { type Answer, type Asked, result } from "./operation.ts";
import { taskFromView } from "./task-from-view.ts";
import type { TaskView } from "./task-view.ts";

/** How the answer to a message comes: at the end of the turn, at once, or bit by bit. */
export type Turn = "blocking" | "immediate" | "stream";

/** As SendMessage answers. */
export const taskResult = (view: TaskView, { parts }: Asked): Answer =>
  result({ task: taskFromView(view, parts.gate) });
