import type { Stop } from "../ports/questions.ts";

interface Until<T> {
  /** Comes with what is told of it. */
  readonly come: Promise<{ readonly come: T }>;
  /** Aborts with the one given, and when nobody waits any more. */
  readonly signal: Stop;
  readonly leave: () => void;
}

/** Who waits in this process for something by its id. */
export class Waiting<T> {
  readonly #waiting = new Map<string, Set<(told: T) => void>>();

  until(id: string, signal: AbortSignal): Until<T> {
    const stop = new Leaving();
    const { promise: come, resolve } = Promise.withResolvers<{ readonly come: T }>();
    const hear = (told: T) => resolve({ come: told });
    const gone = () => stop.abort();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(hear));
    signal.addEventListener("abort", gone);
    if (signal.aborted) gone();
    const leave = () => {
      waiting.delete(hear);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
      signal.removeEventListener("abort", gone);
      gone();
    };
    return { come, signal: stop, leave };
  }

  tell(id: string, told: T): void {
    for (const hear of this.#waiting.get(id) ?? []) hear(told);
  }
}

/** Aborted once. It lies on the way from a yes to the caller's answer, where an `AbortController` makes an event of it. */
class Leaving implements Stop {
  readonly #listeners = new Set<() => void>();
  #isAborted = false;

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    for (const listener of [...this.#listeners]) listener();
  }
}
