import { type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { JsonObject } from "../../src/domain/json.ts";
import { ADMIN } from "./admin-token.ts";
import type { TestServer } from "./test-server.ts";

export const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
export type BindingName = (typeof BINDINGS)[number];

type SendParams = Parameters<Client["sendMessage"]>[0];

/** The real client of A2A's own SDK, as somebody uses it who has a token. */
export async function a2aClient(
  url: string,
  binding: BindingName,
  token = ADMIN,
  clientConfig: object = {},
): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), Authorization: `Bearer ${token}` },
    });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver(),
    clientConfig,
  });
  return await factory.createFromUrl(url);
}

let messages = 0;

interface More {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly returnImmediately?: boolean;
}

/** A message of one data part. */
export function dataMessage(data: JsonObject, { taskId = "", contextId = "", returnImmediately = false }: More = {}) {
  const part = { content: { $case: "data", value: data }, metadata: undefined, filename: "", mediaType: "" } as const;
  return {
    tenant: "",
    metadata: undefined,
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately,
    },
    message: {
      messageId: `message-${++messages}`,
      contextId,
      taskId,
      role: 1,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  } satisfies SendParams;
}

export const callMessage = (tool: string, input: JsonObject, more: More = {}) => dataMessage({ tool, input }, more);

interface Said {
  readonly content?: { readonly $case: string; readonly value?: unknown } | undefined;
}

/** What its text parts say. */
export const textOf = (parts: readonly Said[] = []): string =>
  parts.flatMap(({ content }) => (content?.$case === "text" ? [String(content.value)] : [])).join("\n");

export const send = async (client: Client, ...given: Parameters<typeof callMessage>): Promise<Task> =>
  (await client.sendMessage(callMessage(...given))) as Task;

const reasonOf = (error: unknown): string => {
  const { reason, message } = error as { readonly reason?: string; readonly message: string };
  return reason === undefined || reason === "INTERNAL_ERROR" ? message : reason;
};
/** The reason of A2A, or in words what went wrong. */
export const failing = (make: () => Promise<unknown>): Promise<string> =>
  Promise.resolve()
    .then(make)
    .then(() => "no error", reasonOf);

export async function agentOf(server: TestServer, lease: object = { tools: "everything", write: ["./**"] }) {
  const { body } = await server.post("sessions", { lease });
  return body as { readonly token: string; readonly session_id: string };
}

/** What a stream tells, in its order. */
export async function statesOf(stream: ReturnType<Client["sendMessageStream"]>): Promise<string[]> {
  const heard: string[] = [];
  for await (const { payload } of stream) {
    const isStated = payload?.$case === "task" || payload?.$case === "statusUpdate";
    const state = isStated ? ` ${TaskState[payload.value.status?.state ?? 0]}` : "";
    heard.push(`${payload?.$case}${state}`);
  }
  return heard;
}
