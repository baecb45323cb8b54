import { needs } from "../../support/parts.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { startServer } from "./started-program.ts";

const VERSION = "2025-11-25";
const META = "toolgate/outcome";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
    readonly _meta?: Record<string, { kind: string; code?: string; truncated?: { blob: string } }>;
  };
}

async function open(place: Place): Promise<DoorClient> {
  const server = await startServer(place);
  const sessions = new Map<string, string>();
  let last = 0;

  const post = (token: string, message: object, session?: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.url}/mcp`, {
      method: "POST",
      ...(signal && { signal }),
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(session !== undefined && { "Mcp-Session-Id": session, "MCP-Protocol-Version": VERSION }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });

  /** One session for each token. */
  const sessionOf = async (token: string): Promise<string> => {
    const known = sessions.get(token);
    if (known !== undefined) return known;
    const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: "contract", version: "1" } };
    const response = await post(token, { id: ++last, method: "initialize", params });
    await response.text();
    const session = response.headers.get("mcp-session-id") ?? "";
    await post(token, { method: "notifications/initialized" }, session);
    sessions.set(token, session);
    return session;
  };

  const call = async ({ tool, input, token = server.adminToken, cancel, listens }: Asked): Promise<Heard> => {
    const session = await sessionOf(token);
    const id = ++last;
    const params = { name: tool, arguments: input, ...(listens && { _meta: { progressToken: "p" } }) };
    const stop = new AbortController();
    const asking = post(token, { id, method: "tools/call", params }, session, stop.signal).then(messagesIn);
    if (cancel !== undefined) {
      asking.catch(() => {});
      await cancel;
      await post(token, { method: "notifications/cancelled", params: { requestId: id } }, session);
      stop.abort(); // no answer comes
      return { ends: null, wire: "no answer", text: "" };
    }
    const messages = await asking;
    const progress = messages.filter(({ method }) => method === "notifications/progress");
    return {
      ...heardFrom(messages.find((message) => message.id === id)),
      progress: progress.map((message) => message.params?.message ?? "").join(""),
    };
  };
  return { call, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function messagesIn(response: Response): Promise<readonly Message[]> {
  const body = await response.text();
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return body === "" ? [] : [JSON.parse(body) as Message];
  return body
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)) as Message);
}

function heardFrom(message: Message | undefined): Heard {
  if (message === undefined) return { ends: null, wire: "no answer", text: "" };
  const { error, result } = message;
  if (error) return { ends: error.data?.code ?? null, wire: `error ${error.code}`, text: error.message };
  const facts = result?._meta?.[META];
  return {
    ends: facts?.code ?? facts?.kind ?? null,
    wire: result?.isError ? "isError" : "result",
    text: (result?.content ?? []).map((item) => item.text ?? "").join("\n"),
    blob: facts?.truncated?.blob ?? null,
  };
}

needs("bwrap")("MCP over HTTP", () => {
  keepsTheContract({
    name: "mcp-http",
    open,
    wire: {
      completed: "result",
      DEFAULT_DENY: "isError",
      RULE_DENY: "isError",
      APPROVAL_REJECTED: "isError",
      APPROVAL_EXPIRED: "isError",
      APPROVAL_STALE: "isError",
      FILE_NOT_FOUND: "isError",
      MULTIPLE_MATCHES: "isError",
      PATH_INVALID: "isError",
      INVALID_ARGUMENTS: "isError",
      TOOL_UNKNOWN: "error -32602",
      REDACTED_CONTENT: "isError",
      TOOL_FAILED: "isError",
      TIMEOUT: "isError",
      LEASE_SCOPE: "isError",
      BUDGET_EXCEEDED: "isError",
      OUTCOME_UNKNOWN: "isError",
      LIMIT_FSIZE: "isError",
      INTERACTIVE_BLOCKED: "isError",
      ARTIFACT_UNKNOWN: "isError",
      "a program that is cancelled": "no answer",
    },
    unsaid: { "a program that is cancelled": "MCP: a cancelled request is not answered" },
  });
});
