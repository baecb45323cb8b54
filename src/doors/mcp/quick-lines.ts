import { PassThrough, type Readable, type Writable } from "node:stream";
import type { JsonValue } from "../../domain/json.ts";
import type { CallParts } from "./governed-call.ts";
import type { OpenCall } from "./open-call.ts";
import type { PlainCall } from "./plain-call.ts";
import { KnownEnvelopes, quickCall } from "./quick-call.ts";

const NEWLINE = 10;
/** Those that the SDK says no to are never asked for. */
const OFFERED_MAX = 100;
const TAKEN = { code: -32_600, message: "Invalid Request: another request with this id is on its way" } as const;

/** One on its way; its call is null until it has begun. */
interface Running {
  call: OpenCall | null;
  isCancelled: boolean;
}

/**
 * The lines of a client on pipes. Plain calls are answered here; everything else is handed on, in its order, to the SDK.
 * The first call goes that way too: it settles which era the client is of, and that the SDK takes what it says of itself.
 */
export class QuickLines {
  /** For the SDK to read. */
  readonly rest = new PassThrough();
  readonly #stdout: Writable;
  readonly #known = new KnownEnvelopes();
  /** What the SDK was given, by its id: whether it takes it tells what it takes the next time. */
  readonly #offered = new Map<string | number, JsonValue>();
  /** Calls that were begun, and that the SDK goes on with. */
  readonly #left = new Map<string | number, OpenCall>();
  readonly #running = new Map<string | number, Running>();
  /** Of the server that the SDK has connected. */
  #parts: CallParts | null = null;
  #isMidLine = false;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdout = stdout;
    stdin.on("data", (chunk: Buffer) => this.#take(chunk));
    stdin.once("end", () => this.rest.end());
    stdin.once("error", (error) => this.rest.destroy(error));
    stdin.once("close", () => this.rest.destroy());
    if (stdin.readableEnded || stdin.destroyed) this.rest.destroy();
  }

  /** The SDK has handed a call on. What was begun here goes on; else undefined. */
  begun(id: string | number, parts: CallParts): OpenCall | undefined {
    this.#known.accepted(this.#offered.get(id));
    this.#offered.delete(id);
    this.#parts = parts;
    const call = this.#left.get(id);
    this.#left.delete(id);
    return call;
  }

  /** The connection is gone, and so is whoever waits. */
  close(): void {
    for (const running of this.#running.values()) cancel(running);
  }

  /** A line that came in pieces is handed on as it came. */
  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const line = chunk.subarray(from, end + 1);
      if (this.#isMidLine || !this.#heard(line)) this.rest.write(line);
      this.#isMidLine = false;
      from = end + 1;
    }
    if (from === chunk.length) return;
    this.#isMidLine = true;
    this.rest.write(chunk.subarray(from));
  }

  #heard(line: Buffer): boolean {
    if (line.includes("tools/call")) return this.#heardCall(messageIn(line));
    return this.#running.size > 0 && line.includes("notifications/cancelled") && this.#heardCancel(messageIn(line));
  }

  #heardCall(message: JsonValue | undefined): boolean {
    const { id } = (message ?? {}) as { readonly id?: string | number };
    if (message === undefined || id === undefined) return false;
    // INVARIANT (made once): two that are on their way under one id can't be told apart, so there are never two.
    if (this.#running.has(id) || this.#left.has(id)) {
      this.#answer({ jsonrpc: "2.0", id, error: TAKEN });
      return true;
    }
    const parts = this.#parts;
    const plain = parts === null ? null : this.#known.plain(message);
    if (parts !== null && plain !== null) {
      void this.#make(plain, message, parts);
      return true;
    }
    if (this.#offered.size >= OFFERED_MAX) this.#offered.clear();
    this.#offered.set(id, message);
    return false;
  }

  #answer(message: object): void {
    this.#stdout.write(`${JSON.stringify(message)}\n`);
  }

  async #make(plain: PlainCall, message: JsonValue, parts: CallParts): Promise<void> {
    const running: Running = { call: null, isCancelled: false };
    this.#running.set(plain.id, running);
    const quick = await quickCall(plain, parts, (call) => {
      running.call = call;
      if (running.isCancelled) call.withdraw();
    });
    this.#running.delete(plain.id);
    if (running.isCancelled) return;
    if (quick.kind === "answered") return this.#answer(quick.message);
    if (quick.call !== null) this.#left.set(plain.id, quick.call);
    this.rest.write(`${JSON.stringify(message)}\n`);
  }

  /** Who has taken a call back is sent no answer. */
  #heardCancel(message: JsonValue | undefined): boolean {
    const params = (message as { readonly params?: { readonly requestId?: unknown } } | undefined)?.params;
    const running = this.#running.get(params?.requestId as string | number);
    if (running === undefined) return false;
    cancel(running);
    return true;
  }
}

function cancel(running: Running): void {
  running.isCancelled = true;
  running.call?.withdraw();
}

/** Undefined: it is no JSON, and for the SDK to say so. */
function messageIn(line: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(line.toString("utf8")) as JsonValue;
  } catch {
    return;
  }
}
