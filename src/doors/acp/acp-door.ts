import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { visibleLine } from "../../domain/visible.ts";
import { TAKEN } from "../wire/request-id.ts";
import { AcpSession } from "./acp-session.ts";
import { editorRun } from "./agent-files.ts";
import { doubtfulSetting, learnSettings } from "./agent-modes.ts";
import { AgentRequests } from "./agent-requests.ts";
import type { DoorParts, Offered } from "./door-parts.ts";
import { askEditor } from "./editor-approver.ts";
import { Forwards } from "./forwards.ts";
import { type FrameId, frameFrom, type Notification, type Request, type Response } from "./frame.ts";
import { isOfTheGate } from "./own-calls.ts";
import { initializeText, offeredBy, PROTOCOL, setUpFrom } from "./session-setup.ts";
import { withoutTerminals } from "./shown-update.ts";
import { withMember } from "./splice.ts";
import { errorFrom, INTERNAL_ERROR, invalidParams } from "./wire-errors.ts";

const TOO_LONG = { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error: the line is too long" } };
/** Those that make a session, or go on with one. */
const SET_UP: ReadonlySet<string> = new Set(["session/new", "session/load", "session/resume", "session/fork"]);
const SETTINGS: ReadonlySet<string> = new Set(["session/set_mode", "session/set_config_option"]);
const SESSIONS_MAX = 1000;

/**
 * Between an editor and an agent that speak ACP: the agent towards the one, the client towards the other. What asks for
 * something to be done is answered here; all else goes on as it came, in its order, also what nobody here knows.
 */
export class AcpDoor {
  readonly #parts: DoorParts;
  readonly #toAgent: Forwards;
  readonly #toEditor: Forwards;
  readonly #requests: AgentRequests;
  readonly #sessions = new Map<string, AcpSession>();
  readonly #unnamed = new Set<AcpSession>();
  #offered: Offered = { read: null, write: null, terminal: false };
  readonly #open = new Set<Promise<unknown>>();
  /** The ids of settings that wait for an answer. */
  readonly #settings = new Set<string>();

  constructor(parts: DoorParts) {
    const { editor, agent } = parts;
    this.#parts = parts;
    this.#toAgent = new Forwards(editor, agent, "the agent has ended");
    this.#toEditor = new Forwards(agent, editor, "the editor has gone");
    this.#requests = new AgentRequests(parts, {
      offered: () => this.#offered,
      session: (id) => this.#session(id),
      isTaken: (id) => this.#toEditor.has(id),
    });
  }

  /** A line of the editor's; null = one that nobody would keep. */
  async fromEditor(line: Uint8Array | null): Promise<void> {
    if (line === null) return await this.#parts.editor.send(JSON.stringify(TOO_LONG));
    const frame = frameFrom(line);
    switch (frame.kind) {
      case "request":
        return await this.#editorAsks(frame);
      case "notification":
        return await this.#editorTells(frame);
      case "response":
        if (!this.#parts.editor.heard(frame)) this.#parts.alarm("the editor answers what nobody has asked");
        return;
      case "bad":
        this.#parts.alarm(`the editor: ${frame.because}`);
        return frame.answer === null ? undefined : await this.#parts.editor.send(JSON.stringify(frame.answer));
      default:
        return frame satisfies never;
    }
  }

  /** A line of the agent's. */
  async fromAgent(line: Uint8Array): Promise<void> {
    const frame = frameFrom(line);
    switch (frame.kind) {
      case "request":
        return await this.#agentAsks(frame);
      case "notification":
        return await this.#agentTells(frame);
      case "response":
        if (!this.#parts.agent.heard(frame)) this.#parts.alarm("the agent answers what nobody has asked");
        return;
      case "bad":
        this.#parts.alarm(`the agent: ${frame.because}`);
        return frame.answer === null ? undefined : await this.#parts.agent.send(JSON.stringify(frame.answer));
      default:
        return frame satisfies never;
    }
  }

  /** The session that a connection of the agent's to the gate's own server is of. */
  sessionOf(gateId: string): AcpSession | null {
    return [...this.#unnamed, ...this.#sessions.values()].find(({ gate }) => gate.id === gateId) ?? null;
  }

  /** Comes back when the agent has answered all that the editor asked. */
  answered(): Promise<void> {
    return this.#toAgent.idle();
  }

  /** Both have gone, or are told to. Comes back when every call has its end. */
  async end(): Promise<void> {
    this.#parts.agent.gone();
    for (const session of [...this.#unnamed, ...this.#sessions.values()]) this.#endSession(session);
    this.#parts.editor.gone();
    await Promise.all([...this.#open, this.#requests.idle()]);
  }

  async #editorAsks(request: Request): Promise<void> {
    const { method, params, id } = request;
    if (this.#toAgent.has(id) || this.#settings.has(JSON.stringify(id)))
      return await this.#parts.editor.refuse(id, TAKEN);
    if (method === "initialize") return await this.#initialize(request);
    if (SET_UP.has(method)) return await this.#setUp(request);
    if (SETTINGS.has(method)) return await this.#setting(request);
    const session = this.#session(params["sessionId"]);
    const heard = (): null => {
      // What is still open when a turn is over, nobody will say more of.
      if (method === "session/prompt") session?.permissions.lose();
      if (session !== null && (method === "session/close" || method === "session/delete")) this.#endSession(session);
      return null;
    };
    await this.#toAgent.request(request, { heard });
  }

  async #initialize(request: Request): Promise<void> {
    if (request.params["protocolVersion"] === undefined)
      return await this.#parts.editor.refuse(request.id, invalidParams("`protocolVersion` is missing"));
    this.#offered = offeredBy(request.params["clientCapabilities"], this.#parts.gate.tools());
    const text = initializeText(request.text, request.params, this.#offered);
    await this.#toAgent.request(request, {
      text,
      heard: ({ result }) => {
        const version = isJsonObject(result) ? result["protocolVersion"] : PROTOCOL;
        if (version === PROTOCOL) return null;
        return JSON.stringify({ jsonrpc: "2.0", id: 0, error: { code: INTERNAL_ERROR, message: WRONG_PROTOCOL } });
      },
    });
  }

  async #setUp(request: Request): Promise<void> {
    const { editor, gate, settings, serverFor, alarm } = this.#parts;
    const made = setUpFrom(request, gate.workspace, settings.editorServers);
    if ("error" in made) return await editor.refuse(request.id, made.error);
    if (this.#sessions.size + this.#unnamed.size >= SESSIONS_MAX)
      return await editor.refuse(request.id, { code: INTERNAL_ERROR, message: "there are too many sessions" });
    for (const name of made.dropped)
      alarm(
        `the agent is not told of the editor's MCP server ${visibleLine(name)}: \`toolgate mcp import\` adds it to the gate`,
      );
    for (const folder of made.outside)
      alarm(`the agent is not told of ${visibleLine(folder)}: it is outside of the workspace`);
    const { sessionId } = request.params;
    // One that is made, or forked, has its id with the answer; of the others the agent may speak before.
    const isKnown =
      typeof sessionId === "string" && (request.method === "session/load" || request.method === "session/resume");
    const session = new AcpSession(gate.session(), made.cwd, null);
    gate.agentPrograms.links.add(session.gate.id, this.#linkOf(session));
    this.#unnamed.add(session);
    if (isKnown) this.#name(session, sessionId);
    await this.#toAgent.request(request, {
      text: made.textWith(serverFor(session)),
      heard: (answer) => this.#wasSetUp(session, answer, isKnown),
    });
  }

  #wasSetUp(session: AcpSession, { result }: Response, isKnown: boolean): null {
    if (!isJsonObject(result)) {
      if (!isKnown) this.#endSession(session);
      return null;
    }
    learnSettings(result, session);
    const { sessionId } = result;
    if (!isKnown && typeof sessionId === "string") this.#name(session, sessionId);
    return null;
  }

  /** The later one counts: what an agent calls by one name is one. */
  #name(session: AcpSession, id: string): void {
    const before = this.#sessions.get(id);
    if (before !== undefined) this.#endSession(before);
    session.id = id;
    this.#unnamed.delete(session);
    this.#sessions.set(id, session);
  }

  #endSession(session: AcpSession): void {
    session.end();
    this.#parts.gate.agentPrograms.links.delete(session.gate.id);
    this.#unnamed.delete(session);
    if (session.id !== null && this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
  }

  #linkOf(session: AcpSession) {
    const { editor } = this.#parts;
    const run = (method: string, params: JsonObject, signal: AbortSignal) =>
      editorRun(editor, session, { method, params, signal });
    return {
      granted: (request: number, signal: AbortSignal) => session.permissions.granted(request, signal),
      read: (path: string, signal: AbortSignal) => run("fs/read_text_file", { path }, signal),
      write: (path: string, content: string, signal: AbortSignal) =>
        run("fs/write_text_file", { path, content }, signal),
    };
  }

  /** A mode in which the agent might stop asking is a call like any other; the agent hears of it once it is let through. */
  async #setting(request: Request): Promise<void> {
    const { editor, agentName, call } = this.#parts;
    const session = this.#session(request.params["sessionId"]);
    if (session === null) return await editor.refuse(request.id, invalidParams("there is no such session"));
    const doubtful = doubtfulSetting(request.method, request.params, session);
    if (doubtful === null) return await this.#toAgent.request(request);
    const input = { agent: agentName, ...doubtful };
    const stop = new AbortController();
    const approver = {
      ask: (...[shown, asked, signal]: AskGiven) =>
        askEditor(this.#parts, { session, withdraw: () => stop.abort() }, shown, asked, signal),
    };
    const signal = AbortSignal.any([stop.signal, session.over.signal]);
    const key = JSON.stringify(request.id);
    this.#settings.add(key);
    const setting = call({ tool: "agent_mode", input, session: session.gate }, { signal, approver }).then((outcome) => {
      this.#settings.delete(key);
      const error = errorFrom(outcome);
      return error === null ? this.#toAgent.request(request) : editor.refuse(request.id, error);
    });
    this.#track(setting);
  }

  async #editorTells(told: Notification): Promise<void> {
    const { agent } = this.#parts;
    if (told.method === "session/cancel") this.#session(told.params["sessionId"])?.permissions.cancelAsked();
    if (told.method !== "$/cancel_request") return await agent.send(told.text);
    const otherId = this.#toAgent.otherId(told.params["requestId"]);
    if (otherId !== null) await agent.send(cancelling(told, otherId));
  }

  async #agentAsks(request: Request): Promise<void> {
    if (this.#requests.takes(request.method)) return await this.#requests.ask(request);
    if (this.#requests.has(request.id)) return await this.#requests.refuseTaken(request.id);
    await this.#toEditor.request(request);
  }

  async #agentTells(told: Notification): Promise<void> {
    const { method, params } = told;
    if (method === "$/cancel_request") return await this.#agentCancels(told, params["requestId"]);
    const session = method === "session/update" ? this.#session(params["sessionId"]) : null;
    const text = session === null ? told.text : this.#learn(told, session);
    if (text !== null) await this.#parts.editor.send(text);
  }

  async #agentCancels(told: Notification, id: JsonValue | undefined): Promise<void> {
    if (this.#requests.cancel(id as FrameId)) return;
    const otherId = this.#toEditor.otherId(id);
    if (otherId !== null) await this.#parts.editor.send(cancelling(told, otherId));
  }

  /** Null: nothing that the editor is to hear now. */
  #learn({ text, params }: Notification, session: AcpSession): string | null {
    const { update } = params;
    if (!isJsonObject(update)) return text;
    const { sessionUpdate: kind } = update;
    if (kind === "config_option_update") learnSettings(update, session);
    if (kind !== "tool_call" && kind !== "tool_call_update") return text;
    const call = session.toolCalls.learn(update);
    if (call !== null && isEnd(update)) session.permissions.told(call);
    if (isOfTheGate(update["toolCallId"]) || session.permissions.holds(update["toolCallId"])) return null;
    const shown = withoutTerminals(update, session.terminals);
    return shown === null ? text : withMember(text, "params", JSON.stringify({ ...params, update: shown }));
  }

  #session(id: JsonValue | undefined): AcpSession | null {
    return typeof id === "string" ? (this.#sessions.get(id) ?? null) : null;
  }

  #track(work: Promise<unknown>): void {
    const open = work.catch((cause) => {
      this.#parts.gate.faults.report(cause, { stage: "door" });
      this.#parts.alarm("the gate made a mistake");
    });
    this.#open.add(open);
    void open.finally(() => this.#open.delete(open));
  }
}

type AskGiven = Parameters<typeof askEditor> extends [unknown, unknown, ...infer Given] ? Given : never;

/** Not what was said of an earlier call by the same name. */
const isEnd = ({ status }: JsonObject): boolean => status === "completed" || status === "failed";

const WRONG_PROTOCOL = "the agent speaks another revision of ACP than 1, whose questions this gate does not know";

const cancelling = ({ text, params }: Notification, requestId: number): string =>
  withMember(text, "params", JSON.stringify({ ...params, requestId }));
