import { PassThrough, type Readable, type Writable } from "node:stream";
import { GatheredBytes } from "../../domain/gathered-bytes.ts";
import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { TAKEN } from "../wire/request-id.ts";
import { strictLine } from "../wire/strict-line.ts";
import type { CallParts } from "./governed-call.ts";
import { namedClient } from "./named-client.ts";
import type { OpenCall } from "./open-call.ts";
import type { PlainCall } from "./plain-call.ts";
import { KnownEnvelopes, type Quick, quickCall } from "./quick-call.ts";
import { RequestIds } from "./request-ids.ts";

const NEWLINE = 10;
/** A line that comes in pieces is put together up to here: one that is longer the SDK says no to. */
const HELD_BYTES_MAX = LIMITS.jsonBytes.default;
/** Those that the SDK says no to are never asked for. */
const OFFERED_MAX = 100;
const BATCH_MAX = 100;
const NO_BATCH = { code: -32_600, message: `Invalid Request: a batch has 1 to ${BATCH_MAX} messages` } as const;
const NO_MESSAGE = { code: -32_600, message: "Invalid Request: what stands in a batch is an object" } as const;

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
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #known = new KnownEnvelopes("asked");
  /** What the SDK was given, by its id: whether it takes it tells what it takes the next time. */
  readonly #offered = new Map<string | number, JsonValue>();
  /** Calls that were begun, and that the SDK goes on with. */
  readonly #left = new Map<string | number, OpenCall>();
  readonly #running = new Map<string | number, Running>();
  readonly #handed = new RequestIds();
  /** Of the server that the SDK has connected. */
  #parts: CallParts | null = null;
  /** The beginning of a line. */
  #held = new GatheredBytes();
  #heldBytes = 0;
  /** The beginning of this line has been handed on. */
  #isMidLine = false;
  /** What the SDK was handed in this turn, it has not looked at yet. */
  #isBehind = false;
  /** Answers that go out together. */
  #unsent: string[] = [];
  readonly #heard = (chunk: Buffer) => this.#take(chunk);

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    // Nobody reads it once the SDK has closed, and what comes too late for it is no mistake of ours.
    this.rest.on("error", () => {});
    stdin.on("data", this.#heard);
    stdin.once("end", () => {
      this.#letGo();
      this.rest.end();
    });
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

  /** The SDK sends something: an answer ends what has its id. */
  sent(message: object): void {
    if (!("method" in message) && "id" in message) this.#handed.delete(message.id);
  }

  /** The connection is gone, and so is whoever waits. Nobody is heard any more. */
  close(): void {
    this.#stdin.off("data", this.#heard);
    if (this.#stdin.listenerCount("data") === 0) this.#stdin.pause();
    for (const running of this.#running.values()) cancel(running);
    for (const call of this.#left.values()) call.withdraw();
    this.#left.clear();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#takeEnd(chunk.subarray(from, end + 1));
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  #takeEnd(end: Buffer): void {
    if (this.#isMidLine) this.#handOn(end);
    else if (this.#heldBytes === 0) this.#hear(end);
    else {
      this.#held.push(end);
      this.#hear(this.#takeHeld());
    }
    this.#isMidLine = false;
  }

  #hold(piece: Buffer): void {
    if (this.#isMidLine) {
      this.#handOn(piece);
      return;
    }
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes > HELD_BYTES_MAX) this.#letGo();
  }

  #letGo(): void {
    if (this.#heldBytes === 0) return;
    this.#isMidLine = true;
    this.#handOn(this.#takeHeld());
  }

  #takeHeld(): Uint8Array {
    const held = this.#held.whole();
    this.#held = new GatheredBytes();
    this.#heldBytes = 0;
    return held;
  }

  /** INVARIANT (one reading): all that is handed on was read strictly, so the SDK's reader can't come to another call. */
  #hear(line: Uint8Array): void {
    const read = strictLine(line);
    if (read.kind === "refused") this.#answer(read.answer);
    else if (read.kind === "noise") this.#handOn(line);
    else if (Array.isArray(read.message)) this.#hearBatch(read.message);
    else this.#hearOne(line, read.message);
  }

  /** Revisions until 2025-03-26 have batches, and the SDK takes none on pipes: each of its messages is one. */
  #hearBatch(batch: readonly JsonValue[]): void {
    if (batch.length === 0 || batch.length > BATCH_MAX) this.#answer({ jsonrpc: "2.0", id: null, error: NO_BATCH });
    else for (const message of batch) this.#hearMember(message);
  }

  #hearMember(message: JsonValue): void {
    const isMessage = typeof message === "object" && message !== null && !Array.isArray(message);
    if (isMessage) this.#hearOne(Buffer.from(`${JSON.stringify(message)}\n`), message);
    else this.#answer({ jsonrpc: "2.0", id: null, error: NO_MESSAGE });
  }

  #hearOne(line: Uint8Array, message: JsonValue): void {
    const { method, id } = (message ?? {}) as { readonly method?: unknown; readonly id?: string | number };
    if (id !== undefined && method === "tools/call") this.#hearCall(line, message, id);
    else if (!isCancel(message) || !this.#hearCancel(message)) this.#handOn(namedLine(line, message));
  }

  /** What is not looked at may have the id of one that was offered, and be what the SDK takes. */
  #handOn(bytes: Uint8Array): void {
    this.#offered.clear();
    this.#write(bytes);
  }

  /**
   * INVARIANT (in order): a call comes after what was said before it, which may have narrowed what it may do. The SDK looks
   * at what it is handed before the next turn; a call that comes sooner follows it there.
   */
  #write(bytes: Uint8Array): void {
    this.rest.write(bytes);
    if (this.#isBehind) return;
    this.#isBehind = true;
    setImmediate(() => {
      this.#isBehind = false;
    });
  }

  #hearCall(line: Uint8Array, message: JsonValue, id: string | number): void {
    this.#offered.delete(id);
    const parts = this.#isBehind ? null : this.#parts;
    const plain = parts === null ? null : this.#known.plain(message);
    // INVARIANT (made once): two that are on their way under one id can't be told apart, so there are never two.
    if (this.#running.has(id) || this.#left.has(id) || this.#handed.has(id))
      this.#answer({ jsonrpc: "2.0", id, error: TAKEN });
    else if (parts !== null && plain !== null) void this.#make(plain, message, parts);
    else this.#offer(line, message, id);
  }

  #offer(line: Uint8Array, message: JsonValue, id: string | number): void {
    if (this.#offered.size >= OFFERED_MAX) this.#offered.clear();
    this.#offered.set(id, message);
    this.#handed.add(message);
    this.#write(line);
  }

  /** At once; where others are on their way, all answers of one turn as one write, which wakes the client once. */
  #answer(message: object): void {
    const line = `${JSON.stringify(message)}\n`;
    if (this.#running.size === 0 && this.#unsent.length === 0) {
      this.#stdout.write(line);
      return;
    }
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush());
    this.#unsent.push(line);
  }

  #flush(): void {
    this.#stdout.write(this.#unsent.join(""));
    this.#unsent = [];
  }

  async #make(plain: PlainCall, message: JsonValue, parts: CallParts): Promise<void> {
    const running: Running = { call: null, isCancelled: false };
    this.#running.set(plain.id, running);
    const begun = (call: OpenCall) => {
      running.call = call;
      if (running.isCancelled) call.withdraw();
    };
    // What goes wrong is the SDK's to tell, of this very call if there is one.
    const left = (): Quick => ({ kind: "left", call: running.call });
    const quick = await quickCall(plain, parts, begun).catch(left);
    this.#running.delete(plain.id);
    if (running.isCancelled) return;
    if (quick.kind === "answered") return this.#answer(quick.message);
    if (quick.call !== null) this.#left.set(plain.id, quick.call);
    this.#handed.add(message);
    this.rest.write(`${JSON.stringify(message)}\n`);
  }

  /** Who has taken a call back is sent no answer. */
  #hearCancel({ params }: Cancel): boolean {
    const running = this.#running.get(params?.requestId as string | number);
    this.#handed.delete(params?.requestId);
    if (running === undefined) return false;
    cancel(running);
    return true;
  }
}

function cancel(running: Running): void {
  running.isCancelled = true;
  running.call?.withdraw();
}

interface Cancel {
  readonly params?: { readonly requestId?: unknown } | null;
}

/** What has an id of its own is no notification, and what is no JSON-RPC is nothing: the SDK says so. */
function isCancel(message: JsonValue): message is JsonValue & Cancel {
  const { jsonrpc, method, id } = (message ?? {}) as Readonly<Record<string, unknown>>;
  return jsonrpc === "2.0" && method === "notifications/cancelled" && id === undefined;
}

/** A handshake that lacks the client's name, with one. */
function namedLine(line: Uint8Array, message: JsonValue): Uint8Array {
  const named = namedClient(message);
  return named === message ? line : Buffer.from(`${JSON.stringify(named)}\n`);
}
