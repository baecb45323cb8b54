import { extendedCard } from "./agent-card.ts";
import { listTasks } from "./list-tasks.ts";
import type { Operation } from "./operation.ts";
import { sendMessage, sendStreamingMessage } from "./send-message.ts";
import { cancelTask, getTask, noPush, subscribeToTask } from "./tasks.ts";

/** All of A2A 1.0, by the names of JSON-RPC. */
export const OPERATIONS = {
  SendMessage: sendMessage,
  SendStreamingMessage: sendStreamingMessage,
  GetTask: getTask,
  ListTasks: listTasks,
  CancelTask: cancelTask,
  SubscribeToTask: subscribeToTask,
  GetExtendedAgentCard: extendedCard,
  CreateTaskPushNotificationConfig: noPush,
  GetTaskPushNotificationConfig: noPush,
  ListTaskPushNotificationConfigs: noPush,
  DeleteTaskPushNotificationConfig: noPush,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export const isOperation = (name: unknown): name is OperationName =>
  typeof name === "string" && Object.hasOwn(OPERATIONS, name);
