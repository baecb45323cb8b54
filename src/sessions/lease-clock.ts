import type { Clock } from "../ports/clock.ts";
import type { StoredSession } from "../ports/sessions.ts";

/** Deadlines of sessions that are in use; the oldest is forgotten, and is set anew when its session is used again. */
const DEADLINES_MAX = 65_536;

interface Deadline {
  readonly expiresAtMs: number;
  /** On the clock that does not jump. */
  readonly atMs: number;
}

/**
 * When leases run out. The wall clock may be set back, so this node also measures how much time has really gone by since it
 * first saw the lease. INVARIANT (the earlier wins): whichever says that it is over, it is over.
 */
export class LeaseClock {
  readonly #clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly #deadlines = new Map<string, Deadline>();

  constructor(clock: Pick<Clock, "nowMs" | "monotonicMs">) {
    this.#clock = clock;
  }

  isOver(session: StoredSession): boolean {
    const { expiresAtMs } = session.lease;
    if (expiresAtMs === null) return false;
    return this.#clock.nowMs() >= expiresAtMs || this.#clock.monotonicMs() >= this.#deadlineOf(session, expiresAtMs);
  }

  #deadlineOf({ id, openedMs, renewedMs }: StoredSession, expiresAtMs: number): number {
    const known = this.#deadlines.get(id);
    if (known?.expiresAtMs === expiresAtMs) return known.atMs;
    // A clock that stands before the lease was given was set back: the lease is never good for longer than it was given.
    const leftMs = Math.min(expiresAtMs - this.#clock.nowMs(), expiresAtMs - (renewedMs ?? openedMs));
    const atMs = this.#clock.monotonicMs() + leftMs;
    this.#deadlines.delete(id);
    for (const oldest of this.#deadlines.keys()) {
      if (this.#deadlines.size < DEADLINES_MAX) break;
      this.#deadlines.delete(oldest);
    }
    this.#deadlines.set(id, { expiresAtMs, atMs });
    return atMs;
  }
}
