import type { RawCall } from "../domain/call.ts";
import type { Outcome } from "../domain/outcome.ts";

export interface WatchedCall {
  readonly raw: RawCall;
  readonly outcome: Promise<Outcome>;
}

interface Held extends WatchedCall {
  chars: number;
}

/** More than are on their way at one time. */
const CALLS_MAX = 1024;
/** Of their arguments and results: whoever listens must not have all that others send kept in memory. */
const CHARS_MAX = 32 * 1024 * 1024;
/** What has more is taken for too much, and so is what has no end. */
const VALUES_MAX = 100_000;

/** Calls of this process whose arguments and results somebody may be told, the newest of them. */
export class WatchedCalls {
  readonly #held = new Map<string, Held>();
  #chars = 0;

  /** How many characters are held, about. */
  get chars(): number {
    return this.#chars;
  }

  add(raw: RawCall, outcome: Promise<Outcome>): void {
    const { callId, rawInput } = raw;
    this.forget(callId);
    const chars = charsIn(rawInput);
    if (chars > CHARS_MAX) return; // and nothing of others' is let go for it
    const held = { raw, outcome, chars: 0 };
    this.#held.set(callId, held);
    this.#grow(held, chars);
    const ended = (end: Outcome | null) => {
      if (this.#held.get(callId) !== held) return;
      // Nothing was executed, so nothing will be told that could let it go.
      if (end === null || end.kind === "refused" || end.kind === "pending") this.forget(callId);
      else this.#grow(held, charsIn(end));
    };
    outcome.then(ended, () => ended(null));
  }

  find(callId: string): WatchedCall | undefined {
    return this.#held.get(callId);
  }

  forget(callId: string): void {
    this.#chars -= this.#held.get(callId)?.chars ?? 0;
    this.#held.delete(callId);
  }

  clear(): void {
    this.#held.clear();
    this.#chars = 0;
  }

  /** The oldest go first. */
  #grow(held: Held, chars: number): void {
    held.chars += chars;
    this.#chars += chars;
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= CALLS_MAX && this.#chars <= CHARS_MAX) return;
      this.forget(oldest);
    }
  }
}

/** Of all texts in a value, which need not be JSON and may hold itself. */
function charsIn(value: unknown): number {
  const rest: unknown[] = [value];
  let chars = 0;
  for (let seen = 0; rest.length > 0; seen++) {
    if (seen > VALUES_MAX) return CHARS_MAX + 1;
    const next = rest.pop();
    if (typeof next === "string") chars += next.length;
    else if (typeof next === "object" && next !== null) {
      for (const [name, member] of Object.entries(next)) {
        chars += name.length;
        rest.push(member);
      }
    }
  }
  return chars;
}
