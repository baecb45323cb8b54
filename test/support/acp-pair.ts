import { PassThrough, Readable, Writable } from "node:stream";
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import type { AgentSpec } from "../../src/domain/agent.ts";
import type { JsonValue } from "../../src/domain/json.ts";
import { type AcpEnd, type AcpServing, serveAcp } from "../../src/doors/acp/serve-acp.ts";
import { serveMcpStdio } from "../../src/doors/mcp/serve-stdio.ts";
import type { AgentFault } from "../../src/wiring/agent-programs.ts";
import { bundledProgram } from "./bundled-program.ts";
import { type GateParts, openScratchGate, type ScratchGate } from "./scratch-gate.ts";

type Answer = (asked: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

export interface AcpParts extends GateParts {
  readonly agent?: Partial<Pick<AgentSpec, "grant" | "missing">> & {
    readonly args?: readonly string[];
    readonly program?: string;
  };
  readonly lineBytesMax?: number;
}

/** An agent behind the door, in the real sandbox, and the wire that its editor has. */
export interface AcpWire extends AsyncDisposable {
  readonly scratch: ScratchGate;
  readonly gate: ScratchGate["gate"];
  readonly toDoor: PassThrough;
  readonly fromDoor: PassThrough;
  /** All that the editor was sent, a line each. */
  readonly sent: readonly string[];
  readonly alarms: readonly string[];
  readonly notes: () => string;
  readonly ended: Promise<AcpEnd | AgentFault>;
}

export async function openAcpWire(parts: AcpParts = {}): Promise<AcpWire> {
  const { agent = {}, lineBytesMax } = parts;
  const scratch = openScratchGate(parts);
  const gate = scratch.again({ agents: "judged" });
  scratch.put("agent.mjs", agent.program ?? (await bundledProgram("acp-agent.ts")));
  const [toDoor, fromDoor] = [new PassThrough(), new PassThrough()];
  const alarms: string[] = [];
  const sent: string[] = [];
  let notes = "";
  const stop = new AbortController();
  let rest = "";
  fromDoor.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    sent.push(...lines);
  });
  const spec: AgentSpec = {
    name: "fixture",
    way: {
      kind: "stdio",
      command: "node",
      args: ["agent.mjs", ...(agent.args ?? [])],
      cwd: scratch.workspace,
      env: {},
    },
    missing: agent.missing ?? [],
    grant: agent.grant ?? { read: [], write: [], connect: [] },
  };
  const serving: AcpServing = {
    ...{ gate, agent: spec, output: fromDoor },
    input: async function* (signal) {
      const end = () => void toDoor.destroy();
      signal.addEventListener("abort", end, { once: true });
      if (!signal.aborted) yield* toDoor;
    },
    serveMcp: (stream, session, askElsewhere, until) => {
      const alarm = (message: string) => void alarms.push(message);
      return serveMcpStdio(
        scratch.gate,
        { stdin: stream, stdout: stream, ask: "desk", askElsewhere, session, alarm },
        until,
      );
    },
    alarm: (message) => void alarms.push(message),
    notes: (text) => {
      notes += text;
    },
    ...(lineBytesMax !== undefined && { lineBytesMax }),
  };
  const ended = serveAcp(serving, stop.signal);
  return {
    ...{ scratch, gate, toDoor, fromDoor, sent, alarms, ended, notes: () => notes },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
      await scratch[Symbol.asyncDispose]();
    },
  };
}

export interface AcpEditor extends AcpWire {
  readonly agent: ClientContext;
  readonly asked: readonly RequestPermissionRequest[];
  readonly updates: readonly SessionNotification[];
  readonly sessionId: string;
  readonly started: { readonly initialized: unknown; readonly opened: unknown };
  /** Has the agent take these steps, and comes back with what it says came of each. */
  readonly prompt: (...steps: readonly object[]) => Promise<readonly JsonValue[]>;
  /** What the editor's files hold, by their paths. */
  readonly buffers: Map<string, string>;
}

export interface EditorParts extends AcpParts {
  readonly answers?: Answer;
  readonly fs?: boolean;
  readonly mcpServers?: readonly object[];
}

export const choose =
  (optionId: string): Answer =>
  () => ({ outcome: { outcome: "selected", optionId } });

/** The official SDK's client as the editor, with one session. */
export async function openAcpEditor(parts: EditorParts = {}): Promise<AcpEditor> {
  const wire = await openAcpWire(parts);
  try {
    return await openEditorOn(wire, parts);
  } catch (error) {
    await wire[Symbol.asyncDispose]();
    throw error;
  }
}

async function openEditorOn(wire: AcpWire, parts: EditorParts): Promise<AcpEditor> {
  const { answers = choose("allow"), fs = false, mcpServers = [] } = parts;
  const asked: RequestPermissionRequest[] = [];
  const updates: SessionNotification[] = [];
  const buffers = new Map<string, string>();
  const app = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return answers(params);
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: buffers.get(params.path) ?? "" }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      buffers.set(params.path, params.content);
      return {};
    })
    .onRequest("*", ({ method, params }) => ({ method, params }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params));
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(wire.toDoor) as WritableStream<Uint8Array>,
      Readable.toWeb(wire.fromDoor) as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
  const initialized = await agent.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: fs, writeTextFile: fs }, terminal: true },
  });
  const opened = await agent.request("session/new", { cwd: wire.scratch.workspace, mcpServers: mcpServers as [] });
  const { sessionId } = opened;
  return {
    ...wire,
    ...{ agent, asked, updates, sessionId, buffers, started: { initialized, opened } },
    prompt: async (...steps) => {
      const before = updates.length;
      await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: JSON.stringify(steps) }] });
      return updates.slice(before).flatMap(({ update }) => {
        const isSaid = update.sessionUpdate === "agent_message_chunk" && update.content.type === "text";
        return isSaid && update.content.type === "text" ? [JSON.parse(update.content.text) as JsonValue] : [];
      });
    },
  };
}

/** The options of an agent whose ids tell nothing. */
export const OPTIONS = [
  { optionId: "1", name: "Always", kind: "allow_always" },
  { optionId: "2", name: "Yes", kind: "allow_once" },
  { optionId: "3", name: "No", kind: "reject_once" },
] as const;

/** A step that asks permission for a tool call. */
export const asks = (toolCall: object, options: readonly object[] = OPTIONS) => ({
  ask: ["session/request_permission", { toolCall: { toolCallId: "t1", title: "do it", ...toolCall }, options }],
});

/** A step that says how a tool call is. */
export const updates = (toolCall: object, sessionUpdate = "tool_call_update") => ({
  tell: ["session/update", { update: { sessionUpdate, toolCallId: "t1", ...toolCall } }],
});

export const answered = (optionId: string) => ({ value: { outcome: { outcome: "selected", optionId } } });
export const CANCELLED = { value: { outcome: { outcome: "cancelled" } } };
