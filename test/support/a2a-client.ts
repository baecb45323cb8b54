import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { JsonObject } from "../../src/domain/json.ts";
import { ADMIN } from "./admin-token.ts";

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
