import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Bell } from "../../src/events/bell.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setImmediate", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

function counted() {
  let rings = 0;
  const bell = new Bell(() => rings++);
  return { bell, rings: () => rings };
}

it("rings at once where it was quiet, and not in the turn of who pulls it", () => {
  const { bell, rings } = counted();
  bell.soon();
  bell.soon();
  expect(rings()).toBe(0);
  vi.advanceTimersByTime(0);
  expect(rings()).toBe(1);
});

it("rings once for all that comes while it rests, and loses none", () => {
  const { bell, rings } = counted();
  bell.soon();
  vi.advanceTimersByTime(0);
  bell.soon();
  bell.soon();
  vi.advanceTimersByTime(9);
  expect(rings()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(rings()).toBe(2);
  vi.advanceTimersByTime(100);
  expect(rings()).toBe(2);
  bell.soon();
  vi.advanceTimersByTime(0);
  expect(rings()).toBe(3);
});
