import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Identity } from "./identity.ts";

/** What whoever calls too often is told. */
export const TOO_MANY = "this session has started as many calls as it may in a minute";

/** Whose calls are counted: a person may name any session, and must not use up what another has. */
export const countedAs = ({ session, actor }: Identity, named: string): string =>
  session === null ? `${actor}\0${named}` : session.id;

const MINUTE_MS = 60_000;
const SESSIONS_MAX = 10_000;

/** How many calls a session has started in the minute that runs. */
interface Started {
  readonly minute: number;
  count: number;
}

/** So many calls a minute for each session: an agent in a loop is stopped before it fills the disk. */
export class CallRate {
  readonly #nowMs: () => number;
  readonly #max: number;
  readonly #started = new Map<string, Started>();
  /** Who stands at its end: most calls are of the session of the call before. */
  #last = "";

  constructor(nowMs: () => number, max: number = LIMITS.callsPerMinute.default) {
    this.#nowMs = nowMs;
    this.#max = max;
  }

  /** The same for doors that answer every call with an outcome. */
  refusal(sessionId: string): Refusal | null {
    const seconds = this.waitSeconds(sessionId);
    return seconds === null
      ? null
      : { code: "RATE_LIMITED", stage: "resolve", message: TOO_MANY, hint: `try again in ${seconds} s` };
  }

  /** Null: it may start. Else in how many seconds it may. */
  waitSeconds(sessionId: string): number | null {
    const nowMs = this.#nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = this.#started.get(sessionId);
    const started = known?.minute === minute ? known : { minute, count: 0 };
    if (known !== started || this.#last !== sessionId) this.#putLast(sessionId, started);
    if (started.count >= this.#max) return Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000);
    started.count++;
    return null;
  }

  /** The one that was heard of last goes to the end, so that the oldest is the first to be forgotten. */
  #putLast(sessionId: string, started: Started): void {
    this.#last = sessionId;
    this.#started.delete(sessionId);
    this.#started.set(sessionId, started);
    const [oldest] = this.#started.keys();
    if (this.#started.size > SESSIONS_MAX && oldest !== undefined) this.#started.delete(oldest);
  }
}
