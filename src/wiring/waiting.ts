interface Until<T> {
  /** Comes with what is told of it. */
  readonly come: Promise<{ readonly come: T }>;
  /** Aborts with the one given, and when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

/** Said, since an error that nobody reads would be made else, with its stack. */
const GONE = "nobody waits any more";

/** Who waits in this process for something by its id. */
export class Waiting<T> {
  readonly #waiting = new Map<string, Set<(told: T) => void>>();

  until(id: string, signal: AbortSignal): Until<T> {
    const stop = new AbortController();
    const { promise: come, resolve } = Promise.withResolvers<{ readonly come: T }>();
    const hear = (told: T) => resolve({ come: told });
    const gone = () => stop.abort(GONE);
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
    return { come, signal: stop.signal, leave };
  }

  tell(id: string, told: T): void {
    for (const hear of this.#waiting.get(id) ?? []) hear(told);
  }
}
