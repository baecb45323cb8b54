import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { CallOptions } from "../../wiring/gate.ts";
import { TAKEN } from "../wire/request-id.ts";
import type { AcpSession } from "./acp-session.ts";
import { type Reply, readTextFile, writeTextFile } from "./agent-files.ts";
import { createTerminal, useTerminal } from "./agent-terminals.ts";
import type { DoorParts, Offered } from "./door-parts.ts";
import { askEditor } from "./editor-approver.ts";
import type { FrameId, Request } from "./frame.ts";
import { mediate } from "./permission.ts";
import { INTERNAL_ERROR, invalidParams, METHOD_NOT_FOUND } from "./wire-errors.ts";

interface Surroundings {
  readonly offered: () => Offered;
  readonly session: (id: JsonValue | undefined) => AcpSession | null;
  /** Whether a request of the agent's under this id is on its way to the editor. */
  readonly isTaken: (id: FrameId) => boolean;
}

/** More than an agent does at a time; who asks for more is told so, and nothing piles up. */
const OPEN_MAX = 256;
const GOVERNED = /^(?:session\/request_permission$|fs\/|terminal\/)/;

/** What an agent asks its client for that the gate answers itself: each of them a call, or about one. */
export class AgentRequests {
  readonly #parts: DoorParts;
  readonly #around: Surroundings;
  readonly #open = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();

  constructor(parts: DoorParts, around: Surroundings) {
    this.#parts = parts;
    this.#around = around;
  }

  /** INVARIANT (none by): all of these groups, so that a method which a later revision adds is refused and not handed on. */
  takes(method: string): boolean {
    return GOVERNED.test(method);
  }

  has(id: FrameId): boolean {
    return this.#open.has(JSON.stringify(id));
  }

  refuseTaken(id: FrameId): Promise<void> | void {
    return this.#parts.agent.refuse(id, TAKEN);
  }

  ask(request: Request): Promise<void> | void {
    const { id } = request;
    const { agent, alarm, gate } = this.#parts;
    if (this.has(id) || this.#around.isTaken(id)) return this.refuseTaken(id);
    if (this.#open.size >= OPEN_MAX)
      return agent.refuse(id, { code: INTERNAL_ERROR, message: "too many requests at a time", data: { code: "BUSY" } });
    const session = this.#around.session(request.params["sessionId"]);
    if (session === null) return agent.refuse(id, invalidParams("there is no such session"));
    const stop = new AbortController();
    const replied = this.#reply(request, session, stop.signal).catch((cause): Reply => {
      gate.faults.report(cause, { stage: "door" });
      alarm("the gate made a mistake");
      return { error: { code: INTERNAL_ERROR, message: "the gate made a mistake" } };
    });
    // An answer that the agent does not take counts as open, so that not even those pile up.
    const done = replied.then(async (reply) => {
      await ("error" in reply ? agent.refuse(id, reply.error) : agent.answer(id, reply.result));
      this.#open.delete(JSON.stringify(id));
    });
    this.#open.set(JSON.stringify(id), { stop, done });
  }

  /** The agent takes a request back. False: it is none of these. */
  cancel(id: FrameId): boolean {
    const open = this.#open.get(JSON.stringify(id));
    open?.stop.abort();
    return open !== undefined;
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ done }) => done));
  }

  #reply({ method, params }: Request, session: AcpSession, stopped: AbortSignal): Promise<Reply> {
    const { read, write, terminal } = this.#around.offered();
    const calls = {
      call: (tool: string, input: JsonObject) => this.#call(tool, input, session, { signal: stopped }),
      whole: (blob: string) => this.#whole(blob),
    };
    switch (method) {
      case "session/request_permission":
        return mediate(params, session, this.#parts, stopped);
      case "fs/read_text_file":
        return readTextFile(params, read, calls);
      case "fs/write_text_file":
        return writeTextFile(params, write, calls);
      case "terminal/create":
        if (!terminal) break;
        return createTerminal(params, session, (input, options) => this.#call("run_command", input, session, options));
      case "terminal/output":
      case "terminal/wait_for_exit":
      case "terminal/kill":
      case "terminal/release":
        if (!terminal) break;
        return useTerminal(method, params, session);
    }
    return Promise.resolve({ error: { code: METHOD_NOT_FOUND, message: "this was not offered to the agent" } });
  }

  #call(
    tool: string,
    input: JsonObject,
    session: AcpSession,
    { signal = session.over.signal, ...options }: Pick<CallOptions, "signal" | "onProgress" | "onStarted">,
  ): Promise<Outcome> {
    const taken = new AbortController();
    const approver: Approver = {
      ask: (...asked) => askEditor(this.#parts, { session, withdraw: () => taken.abort() }, ...asked),
    };
    const all = AbortSignal.any([signal, taken.signal, session.over.signal]);
    return this.#parts.call({ tool, input, session: session.gate }, { ...options, signal: all, approver });
  }

  async #whole(blob: string): Promise<string | null> {
    const found = await this.#parts.gate.blobs.get(blob);
    if (!found.ok) return null;
    return Buffer.concat(await Array.fromAsync(found.value.chunks())).toString("utf8");
  }
}
