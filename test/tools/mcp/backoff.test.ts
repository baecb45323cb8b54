import { expect, it } from "vitest";
import { Backoff } from "../../../src/tools/mcp/backoff.ts";
import { fault } from "../../../src/tools/mcp/upstream-fault.ts";

const GONE = fault("CONNECT_FAILED", "it is gone");

it("leaves what failed alone, twice as long each time and never longer than 30 s", () => {
  const backoff = new Backoff();
  const rests = Array.from({ length: 10 }, () => {
    backoff.failed(GONE, 0);
    return backoff.whyNot(0)?.retryAfterMs;
  });
  expect(rests).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(backoff.whyNot(29_999)?.message).toContain("10 times in a row (it is gone), and is tried again in 1 s");
  expect(backoff.whyNot(30_000)).toBeNull();
});

it("forgets all of it with an answer, and keeps nobody from trying by a note", () => {
  const backoff = new Backoff();
  backoff.failed(GONE, 0);
  backoff.over();
  expect([backoff.whyNot(0), backoff.last, backoff.failures]).toEqual([null, null, 0]);
  backoff.noted(GONE);
  expect([backoff.whyNot(0), backoff.last, backoff.failures]).toEqual([null, GONE, 0]);
});
