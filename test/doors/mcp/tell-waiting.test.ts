import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Progress } from "../../../src/domain/tool.ts";
import { tellWaiting } from "../../../src/doors/mcp/tell-waiting.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const question = (signal: AbortSignal) => ({ approvalId: "approval_1", deadlineMs: 0, signal });

it("who waits for a person hears of it again and again, until somebody has answered", () => {
  const answered = new AbortController();
  const heard: Progress[] = [];
  tellWaiting(question(answered.signal), (step) => heard.push(step));
  vi.advanceTimersByTime(59_999);
  expect(heard.length).toBeGreaterThan(2);
  expect(heard.every(({ message }) => message.includes("toolgate approvals approve approval_1"))).toBe(true);
  // Ever more, and never as much as a first step of the tool itself.
  const steps = heard.map(({ done = Number.NaN }) => done);
  expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
  expect(steps.at(-1)).toBeLessThan(1);
  answered.abort();
  const before = heard.length;
  vi.advanceTimersByTime(600_000);
  expect(heard).toHaveLength(before);
});

it("what was answered already is not waited for, nor what nobody waits for any more", () => {
  const heard: Progress[] = [];
  tellWaiting(question(AbortSignal.abort()), (step) => heard.push(step));
  {
    using _ = tellWaiting(question(new AbortController().signal), () => {});
  }
  expect(vi.getTimerCount()).toBe(0);
  expect(heard).toEqual([]);
});
