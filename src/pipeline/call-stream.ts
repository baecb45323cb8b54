import { NEVER } from "../domain/never.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Progress } from "../domain/tool.ts";
import { Bell } from "./bell.ts";

export type StreamEvent =
  | ({ readonly kind: "progress" } & Progress)
  /** The last one. */
  | { readonly kind: "outcome"; readonly outcome: Outcome };

type Make = (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Outcome>;

/** Progress is live only: who looks seldom sees the latest of it. */
const HELD_MAX = 1000;
const DONE = { value: undefined, done: true } as const;

/**
 * One call as a stream of events that ends in its outcome. It begins when somebody first looks. Who leaves before the
 * end cancels it, and is let go when it has ended.
 */
export class CallStream implements AsyncIterableIterator<StreamEvent, undefined>, AsyncDisposable {
  readonly #make: Make;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #bell = new Bell();
  #events: StreamEvent[] = [];
  #outcome: Promise<void> | null = null;
  #isOver = false;

  constructor(make: Make, signal: AbortSignal) {
    this.#make = make;
    this.#signal = signal === NEVER ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
  }

  async next(): Promise<IteratorResult<StreamEvent, undefined>> {
    if (!this.#isOver) this.#outcome ??= this.#begin();
    for (;;) {
      const event = this.#events.shift();
      if (event) return { value: event, done: false };
      if (this.#isOver) return DONE;
      await this.#bell.rung();
    }
  }

  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#stop.abort();
    await this.#outcome;
    this.#events = [];
    this.#isOver = true;
    this.#bell.ring();
    return DONE;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #begin(): Promise<void> {
    const outcome = await this.#make(this.#signal, (progress) => this.#tell({ kind: "progress", ...progress }));
    this.#isOver = true;
    this.#tell({ kind: "outcome", outcome });
  }

  #tell(event: StreamEvent): void {
    if (this.#events.length === HELD_MAX) this.#events.shift();
    this.#events.push(event);
    this.#bell.ring();
  }
}
