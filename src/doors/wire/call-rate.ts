import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";

/** What whoever calls too often is told. */
export const TOO_MANY = "this caller has started as many calls as it may in a minute";

const MINUTE_MS = 60_000;
const CALLERS_MAX = 10_000;

/** How many calls a caller has started in the minute that runs. */
interface Started {
  readonly minute: number;
  count: number;
}

/**
 * So many calls a minute for each caller: an agent in a loop is stopped before it fills the disk. By who calls, as their token
 * says, and never by a session that they name: naming another one would begin a new count, or use up what somebody else has.
 */
export class CallRate {
  readonly #nowMs: () => number;
  readonly #max: () => number;
  readonly #started = new Map<string, Started>();
  /** Who stands at its end: most calls are of the caller of the call before. */
  #last = "";

  /** `max`: as it is now. */
  constructor(nowMs: () => number, max = (): number => LIMITS.callsPerMinute.default) {
    this.#nowMs = nowMs;
    this.#max = max;
  }

  /** The same for doors that answer every call with an outcome. */
  refusal(actor: string): Refusal | null {
    const seconds = this.waitSeconds(actor);
    return seconds === null
      ? null
      : { code: "RATE_LIMITED", stage: "resolve", message: TOO_MANY, hint: `try again in ${seconds} s` };
  }

  /** Null: it may start. Else in how many seconds it may. */
  waitSeconds(actor: string): number | null {
    const nowMs = this.#nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = this.#started.get(actor);
    const started = known?.minute === minute ? known : { minute, count: 0 };
    if (known !== started || this.#last !== actor) this.#putLast(actor, started);
    if (started.count >= this.#max()) return Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000);
    started.count++;
    return null;
  }

  /** The one that was heard of last goes to the end, so that the oldest is the first to be forgotten. */
  #putLast(actor: string, started: Started): void {
    this.#last = actor;
    this.#started.delete(actor);
    this.#started.set(actor, started);
    const [oldest] = this.#started.keys();
    if (this.#started.size > CALLERS_MAX && oldest !== undefined) this.#started.delete(oldest);
  }
}
