import { Transform, type Writable } from "node:stream";
import { GatheredBytes } from "../../domain/gathered-bytes.ts";
import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { TAKEN } from "../wire/request-id.ts";
import { strictLine } from "../wire/strict-line.ts";
import { namedClient } from "./named-client.ts";
import { RequestIds } from "./request-ids.ts";

const NEWLINE = 10;
/** The SDK refuses a longer line, so a longer line is passed on unread. */
const LINE_BYTES_MAX = LIMITS.jsonBytes.default;
const BATCH_MAX = 100;
const BAD_BATCH = { code: -32_600, message: `Invalid Request: a batch has 1 to ${BATCH_MAX} messages` } as const;
const BAD_MESSAGE = { code: -32_600, message: "Invalid Request: a message in a batch must be an object" } as const;

/**
 * Checks the lines of a client on pipes before the SDK reads them. What has two meanings is refused, a batch becomes its
 * messages (revisions until 2025-03-26 have batches, the SDK has none), and a second call under the id of a running one
 * is refused.
 *
 * INVARIANT (one reading): the SDK gets only lines that the strict reader has accepted, and lines that no reader can parse.
 */
export class ClientLines extends Transform {
  readonly #stdout: Writable;
  /** The calls that the SDK has and has not answered. */
  readonly #running = new RequestIds();
  /** The beginning of a line whose end has not arrived. */
  #held = new GatheredBytes();
  #heldBytes = 0;
  /** The beginning of this line was too long to hold, and is passed on already. */
  #isTooLong = false;

  constructor(stdout: Writable) {
    super();
    this.#stdout = stdout;
  }

  /** To be called with each message that the SDK sends: an answer frees the id of its call. */
  sent(message: object): void {
    if (!("method" in message) && "id" in message) this.#running.delete(message.id);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#endLine(chunk.subarray(from, end + 1));
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
    done();
  }

  override _flush(done: () => void): void {
    this.#passHeld();
    done();
  }

  #hold(piece: Buffer): void {
    if (this.#isTooLong) {
      this.push(piece);
      return;
    }
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes <= LINE_BYTES_MAX) return;
    this.#passHeld();
    this.#isTooLong = true;
  }

  #passHeld(): void {
    if (this.#heldBytes > 0) this.push(this.#takeHeld());
  }

  #takeHeld(): Uint8Array {
    const held = this.#held.whole();
    this.#held = new GatheredBytes();
    this.#heldBytes = 0;
    return held;
  }

  #endLine(end: Buffer): void {
    if (this.#isTooLong) {
      this.push(end);
      this.#isTooLong = false;
    } else if (this.#heldBytes === 0) this.#read(end);
    else {
      this.#held.push(end);
      this.#read(this.#takeHeld());
    }
  }

  #read(line: Uint8Array): void {
    const read = strictLine(line);
    if (read.kind === "refused") this.#answer(read.answer);
    else if (read.kind === "noise") this.push(line);
    else if (Array.isArray(read.message)) this.#readBatch(read.message);
    else this.#readMessage(line, read.message);
  }

  #readBatch(batch: readonly JsonValue[]): void {
    if (batch.length === 0 || batch.length > BATCH_MAX) {
      this.#answer({ jsonrpc: "2.0", id: null, error: BAD_BATCH });
      return;
    }
    for (const message of batch) {
      const isMessage = typeof message === "object" && message !== null && !Array.isArray(message);
      if (isMessage) this.#readMessage(lineOf(message), message);
      else this.#answer({ jsonrpc: "2.0", id: null, error: BAD_MESSAGE });
    }
  }

  #readMessage(line: Uint8Array, message: JsonValue): void {
    const { method, id, params } = (message ?? {}) as RawMessage;
    if (method === "tools/call" && id !== undefined) {
      // INVARIANT (made once): two running calls under one id can't be told apart, so the second is refused.
      if (this.#running.has(id)) {
        this.#answer({ jsonrpc: "2.0", id, error: TAKEN });
        return;
      }
      this.#running.add(message);
    }
    // The SDK sends no answer to a cancelled call.
    if (method === "notifications/cancelled" && id === undefined) this.#running.delete(params?.requestId);
    const named = namedClient(message);
    this.push(named === message ? line : lineOf(named));
  }

  #answer(message: object): void {
    this.#stdout.write(lineOf(message));
  }
}

interface RawMessage {
  readonly method?: unknown;
  readonly id?: string | number;
  readonly params?: { readonly requestId?: unknown } | null;
}

const lineOf = (message: unknown): Buffer => Buffer.from(`${JSON.stringify(message)}\n`);
