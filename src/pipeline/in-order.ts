import { NEVER } from "../domain/never.ts";
import type { Touch } from "../domain/touch.ts";
import { Bell } from "./bell.ts";
import { conflict, isOpen } from "./conflict.ts";
import { Places } from "./places.ts";

/** How many calls are held for each one that may run: those that wait for others, and results that wait to be taken. */
const HELD_PER_PLACE = 4;

export interface Work<Call, Result> {
  /** How many may run at a time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** What the call would touch, as far as can be seen before its turn. */
  readonly foresee: (call: Call, signal: AbortSignal) => Promise<readonly Touch[]>;
  readonly make: (call: Call, signal: AbortSignal) => Promise<Result>;
}

/** A call that has its place in the order and has not ended. */
interface Held {
  readonly touches: readonly Touch[];
  readonly ended: Promise<unknown>;
}

/**
 * Makes many calls and gives their results in the order of the calls. Calls that conflict run in that order, the rest
 * side by side. Never holds more than a few calls, however many there are. Who leaves early cancels what is running,
 * and is let go when nothing is.
 */
export async function* inOrder<Call, Result>(
  calls: Iterable<Call> | AsyncIterable<Call>,
  work: Work<Call, Result>,
): AsyncGenerator<Result, void, void> {
  const line = new Line(work);
  const filled = line.fill(calls);
  filled.catch(() => {}); // heard below, once the calls that came before have been told of
  try {
    for (let result = await line.next(); result !== null; result = await line.next()) yield result.value;
    await filled;
  } finally {
    await line.leave();
  }
}

class Line<Call, Result> {
  readonly #work: Work<Call, Result>;
  readonly #places: Places;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #held = new Set<Held>();
  readonly #results: Promise<Result>[] = [];
  readonly #added = new Bell();
  readonly #taken = new Bell();
  #isFull = false;
  #isLeft = false;

  constructor(work: Work<Call, Result>) {
    this.#work = work;
    this.#places = new Places(work.concurrency);
    this.#signal = work.signal === NEVER ? this.#stop.signal : AbortSignal.any([work.signal, this.#stop.signal]);
  }

  /** Takes in calls, as long as there is room for them. */
  async fill(calls: Iterable<Call> | AsyncIterable<Call>): Promise<void> {
    try {
      for await (const call of calls) {
        await this.#add(call);
        while (this.#results.length >= this.#work.concurrency * HELD_PER_PLACE && !this.#isLeft) {
          await this.#taken.rung();
        }
        if (this.#isLeft) return;
      }
    } finally {
      this.#isFull = true;
      this.#added.ring();
    }
  }

  /** Null = there are no more. */
  async next(): Promise<{ readonly value: Result } | null> {
    while (this.#results.length === 0 && !this.#isFull) await this.#added.rung();
    const [first] = this.#results;
    if (first === undefined) return null;
    const value = await first;
    this.#results.shift();
    this.#taken.ring();
    return { value };
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    this.#stop.abort();
    this.#taken.ring();
    await Promise.allSettled(Array.from(this.#held, ({ ended }) => ended));
  }

  async #add(call: Call): Promise<void> {
    // What an open call does to folders and links can't be foreseen: which file a path means is known after it only.
    await this.#endOf(({ touches }) => isOpen(touches));
    const touches = await this.#work.foresee(call, this.#signal);
    if (this.#isLeft) return;
    const result = this.#make(
      call,
      this.#endOf((held) => conflict(held.touches, touches)),
    );
    const held = { touches, ended: result };
    this.#held.add(held);
    const end = () => void this.#held.delete(held);
    result.then(end, end);
    this.#results.push(result);
    this.#added.ring();
  }

  #endOf(which: (held: Held) => boolean): Promise<unknown> {
    const ends = [...this.#held].filter(which).map(({ ended }) => ended);
    return Promise.allSettled(ends);
  }

  async #make(call: Call, before: Promise<unknown>): Promise<Result> {
    await before;
    using _place = await this.#places.taken();
    return await this.#work.make(call, this.#signal);
  }
}
