import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Session } from "../../domain/lease.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { toolUsed } from "../../domain/tool-used.ts";
import { quoted } from "../../domain/visible.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { Gate } from "../../wiring/gate.ts";
import { VERSION } from "../../wiring/version.ts";
import { legacyResult } from "./legacy-content.ts";
import { legacyError } from "./legacy-errors.ts";

export interface LegacyParts {
  readonly gate: Gate;
  /** Whose calls they are; left out, each of the client's sessions is one of the gate's own. */
  readonly session?: Session;
  readonly send: (message: JsonObject) => void;
  /** The seed's telemetry: `{event: "tool_used", tool, duration_ms, success}`. */
  readonly used: (event: JsonObject) => void;
  readonly signal: AbortSignal;
}

type Id = string | number | null;

interface OpenUse {
  readonly stop: AbortController;
  isAsked: boolean;
}

/** For what a client has piped in without waiting: long enough to read a file, and not for a build that nobody sees. */
const GRACE_MS = 10_000;

/** As many conversations as one client holds at a time. */
const SESSIONS_MAX = 1000;

/**
 * The `tools/use` and `tools/result` of the Zed seed: JSON-RPC, a message a line. A request with an id is answered; one
 * without is answered by a `tools/result` of our own, as the seed has it. Every use is a governed call.
 */
export class LegacyDoor {
  readonly #parts: LegacyParts;
  readonly #sessions = new Map<string, Session>();
  readonly #open = new Set<Promise<void>>();
  readonly #uses = new Set<OpenUse>();
  #hasGone = false;
  #lastId = 0;

  constructor(parts: LegacyParts) {
    this.#parts = parts;
  }

  /** One line of the client's; null = one that nobody would keep. Never rejects. */
  take(line: Uint8Array | null): void {
    const taking = this.#take(line).catch((cause) => {
      this.#parts.gate.faults.report(cause, { stage: "door" });
      this.#error(null, -32_603, "the gate made a mistake");
    });
    this.#open.add(taking);
    void taking.finally(() => this.#open.delete(taking));
  }

  /** Comes back when all that was asked for has been answered. */
  async idle(): Promise<void> {
    await Promise.all(this.#open);
  }

  /**
   * The client has closed its end. It is told what comes soon (`echo … | toolgate legacy`); a question is taken back at once,
   * since its answer would run something that nobody waits for, and so is in the end what still runs.
   */
  async end(graceMs: number = GRACE_MS): Promise<void> {
    this.#hasGone = true;
    for (const { isAsked, stop } of this.#uses) if (isAsked) stop.abort();
    const timer = setTimeout(() => {
      for (const { stop } of this.#uses) stop.abort();
    }, graceMs);
    await this.idle();
    clearTimeout(timer);
  }

  async #take(line: Uint8Array | null): Promise<void> {
    if (line === null) return this.#error(null, -32_700, "the line is too long");
    const read = readJsonBytes(line);
    if (!read.ok) return this.#error(null, -32_700, read.error.message);
    const { value } = read;
    const id = isJsonObject(value) ? idOf(value["id"]) : null;
    if (!isJsonObject(value) || typeof value["method"] !== "string") {
      // An answer to one of our own `tools/result` needs none.
      if (isJsonObject(value) && ("result" in value || "error" in value)) return;
      return this.#error(id, -32_600, "a message is an object with a `method`");
    }
    const params = isJsonObject(value["params"]) ? value["params"] : {};
    const hasId = value["id"] !== undefined && value["id"] !== null;
    await this.#answer(value["method"], params, hasId ? id : undefined);
  }

  async #answer(method: string, params: JsonObject, id: Id | undefined): Promise<void> {
    switch (method) {
      case "initialize":
        return this.#result(id, await this.#capabilities(params));
      case "tools/list":
        return this.#result(id, { tools: await this.#definitions() });
      case "tools/use":
        return await this.#use(params, id);
      default:
        if (id !== undefined) this.#error(id, -32_601, `there is no method ${quoted(method)}`);
    }
  }

  async #use(params: JsonObject, id: Id | undefined): Promise<void> {
    const { toolName, toolCallId = null, sessionId = null, input = {} } = params;
    if (typeof toolName !== "string") {
      if (id !== undefined) this.#error(id, -32_602, "`toolName` is missing");
      else this.#tell({ sessionId, toolCallId, ...NO_NAME });
      return;
    }
    const outcome = await this.#call({ tool: toolName, input, session: this.#session(sessionId) });
    this.#parts.used({ ...toolUsed(outcome) });
    const told = { sessionId, toolCallId, ...(legacyResult(outcome) as unknown as JsonObject) };
    const error = id === undefined ? "result" : errorOf(outcome);
    if (id === undefined) this.#tell(told);
    else if (error === "result") this.#result(id, told);
    else this.#error(id, error, messageOf(outcome), { code: codeOf(outcome), toolCallId });
  }

  /** Questions wait for other doors, as long as the client does. */
  async #call(call: Parameters<Gate["call"]>[0]): Promise<Outcome> {
    const { gate, signal } = this.#parts;
    const use: OpenUse = { stop: new AbortController(), isAsked: false };
    const ask: Approver["ask"] = async (_shown, _asked, over) => {
      use.isAsked = true;
      // With its answer the question is over, and what was let happen runs like anything else.
      const answered = () => {
        use.isAsked = false;
      };
      over.addEventListener("abort", answered, { once: true });
      if (this.#hasGone) use.stop.abort();
      return null;
    };
    this.#uses.add(use);
    try {
      return await gate.call(call, { signal: AbortSignal.any([signal, use.stop.signal]), approver: { ask } });
    } finally {
      this.#uses.delete(use);
    }
  }

  /** Who asks without an id is told by a message of ours. */
  #tell(params: JsonObject): void {
    this.#parts.send({ jsonrpc: "2.0", id: ++this.#lastId, method: "tools/result", params });
  }

  async #capabilities({ protocolVersion = "2024-11-05" }: JsonObject): Promise<JsonObject> {
    return {
      protocolVersion,
      capabilities: { tools: { definitions: await this.#definitions() } },
      serverInfo: { name: "toolgate", version: VERSION },
    };
  }

  async #definitions(): Promise<readonly JsonObject[]> {
    const { gate } = this.#parts;
    await gate.upstreams.ready();
    return gate.tools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  /** What the client calls a session is one of the gate's own, for as long as the client is there. */
  #session(given: JsonValue): Session {
    if (this.#parts.session !== undefined) return this.#parts.session;
    const key = String(given);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.clear();
    const made = this.#parts.gate.session();
    this.#sessions.set(key, made);
    return made;
  }

  #result(id: Id | undefined, result: JsonObject): void {
    if (id !== undefined) this.#parts.send({ jsonrpc: "2.0", id, result });
  }

  #error(id: Id, code: number, message: string, data?: JsonObject): void {
    this.#parts.send({ jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } });
  }
}

const NO_NAME = { content: [{ type: "text", text: "Error: `toolName` is missing" }], isError: true } as const;

const idOf = (given: JsonValue | undefined): Id =>
  typeof given === "string" || typeof given === "number" ? given : null;

const errorOf = (outcome: Outcome) => (outcome.kind === "refused" ? legacyError(outcome.refusal.code) : "result");

const codeOf = (outcome: Outcome): string => (outcome.kind === "refused" ? outcome.refusal.code : outcome.kind);

const messageOf = (outcome: Outcome): string => (outcome.kind === "refused" ? outcome.refusal.message : outcome.kind);
