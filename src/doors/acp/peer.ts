import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { FrameId, Response } from "./frame.ts";
import type { RpcError } from "./wire-errors.ts";

/** What came back for a request of ours; null = whoever was asked has gone. */
export type Answered = Response | null;

/** More than anybody has on their way at a time. */
const ASKED_MAX = 10_000;

/**
 * One of the two that we stand between. Requests to it have ids of ours, in one row, whoever they come from: so that an answer
 * is of a request that was made, once, and nobody's ids meet somebody else's.
 */
export class Peer {
  readonly #write: (line: string) => Promise<void> | void;
  readonly #asked = new Map<number, (answered: Answered) => void>();
  #lastId = 0;
  #hasGone = false;

  constructor(write: (line: string) => Promise<void> | void) {
    this.#write = write;
  }

  /** INVARIANT (in order): what is sent is sent in the order of these calls. Comes back when it takes more. */
  send(text: string): Promise<void> | void {
    if (!this.#hasGone) return this.#write(`${text}\n`);
  }

  tell(method: string, params: JsonObject): Promise<void> | void {
    return this.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  answer(id: FrameId, result: JsonValue): Promise<void> | void {
    return this.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  refuse(id: FrameId, error: RpcError): Promise<void> | void {
    return this.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
  }

  get isFull(): boolean {
    return this.#asked.size >= ASKED_MAX;
  }

  /** A request under an id of ours. `told` hears the answer, or that there will be none; once. */
  ask(textWith: (id: number) => string, told: (answered: Answered) => void): number {
    return this.request(textWith, told).id;
  }

  /** The same, for who does not ask for more before this has been taken. */
  request(
    textWith: (id: number) => string,
    told: (answered: Answered) => void,
  ): { readonly id: number; readonly taken: Promise<void> | void } {
    const id = ++this.#lastId;
    if (this.#hasGone) return { id, taken: told(null) };
    this.#asked.set(id, told);
    return { id, taken: this.send(textWith(id)) };
  }

  /** False: nobody asked for this. */
  heard(answer: Response): boolean {
    const told = typeof answer.id === "number" ? this.#asked.get(answer.id) : undefined;
    if (told === undefined) return false;
    this.#asked.delete(answer.id as number);
    told(answer);
    return true;
  }

  /** Nobody is there any more, and nothing will be answered. */
  gone(): void {
    this.#hasGone = true;
    const waiting = [...this.#asked.values()];
    this.#asked.clear();
    for (const told of waiting) told(null);
  }
}
