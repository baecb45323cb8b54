import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { StoredSession } from "../../src/ports/sessions.ts";
import { LeaseClock } from "../../src/sessions/lease-clock.ts";

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 0, 1);

const session = (expiresAtMs: number | null, more: Partial<StoredSession> = {}): StoredSession => ({
  id: "session_1",
  project: "default",
  parentId: null,
  tokenHash: new Uint8Array(32),
  lease: { ...EVERYTHING, expiresAtMs },
  label: "",
  openedBy: "ann",
  openedMs: T0,
  renewedMs: null,
  ended: null,
  ...more,
});

/** Two clocks that are moved apart. */
function clocks() {
  const time = { wall: T0, mono: 0 };
  const lease = new LeaseClock({ nowMs: () => time.wall, monotonicMs: () => time.mono });
  return { time, isOver: (one: StoredSession) => lease.isOver(one) };
}

describe("a lease is over", () => {
  it("never, where it has no end", () => {
    const { time, isOver } = clocks();
    time.wall = Number.MAX_SAFE_INTEGER;
    time.mono = Number.MAX_SAFE_INTEGER;
    expect(isOver(session(null))).toBe(false);
  });

  it("when the time on the wall is, to the millisecond", () => {
    const { time, isOver } = clocks();
    const one = session(T0 + HOUR);
    expect(isOver(one)).toBe(false);
    time.wall = T0 + HOUR - 1;
    expect(isOver(one)).toBe(false);
    time.wall = T0 + HOUR;
    expect(isOver(one)).toBe(true);
  });

  it("when so much time has gone by, although the wall clock was set back", () => {
    const { time, isOver } = clocks();
    const one = session(T0 + HOUR);
    expect(isOver(one)).toBe(false);
    time.wall = T0 - 10 * HOUR;
    time.mono = HOUR - 1;
    expect(isOver(one)).toBe(false);
    time.mono = HOUR;
    expect(isOver(one)).toBe(true);
  });

  it("after as long as it was given for, in a process that starts with a clock that was set back", () => {
    const { time, isOver } = clocks();
    time.wall = T0 - 100 * HOUR;
    const one = session(T0 + HOUR);
    expect(isOver(one)).toBe(false);
    time.mono = HOUR;
    expect(isOver(one)).toBe(true);
  });

  it("later, once it was renewed", () => {
    const { time, isOver } = clocks();
    expect(isOver(session(T0 + HOUR))).toBe(false);
    time.wall = T0 + HOUR - 1;
    time.mono = HOUR - 1;
    const renewed = session(T0 + 2 * HOUR, { renewedMs: T0 + HOUR - 1 });
    expect(isOver(renewed)).toBe(false);
    time.mono = 2 * HOUR - 1;
    expect(isOver(renewed)).toBe(false);
    time.mono = 2 * HOUR;
    expect(isOver(renewed)).toBe(true);
  });
});
