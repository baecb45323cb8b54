import { expect, it } from "vitest";
import { CallRate } from "../../../src/doors/wire/call-rate.ts";

it("counts each caller's calls by the minute, and says when there may be more", () => {
  let nowMs = 90_000;
  const rate = new CallRate(
    () => nowMs,
    () => 2,
  );
  expect([rate.waitSeconds("a"), rate.waitSeconds("a"), rate.waitSeconds("a")]).toEqual([null, null, 30]);
  expect(rate.waitSeconds("b")).toBeNull();
  nowMs = 119_999;
  expect(rate.waitSeconds("a")).toBe(1);
  nowMs = 120_000;
  expect(rate.waitSeconds("a")).toBeNull();
});

it("goes by the number that is in force", () => {
  let max = 1;
  const rate = new CallRate(
    () => 0,
    () => max,
  );
  expect([rate.waitSeconds("a"), rate.waitSeconds("a")]).toEqual([null, 60]);
  max = 2;
  expect([rate.waitSeconds("a"), rate.waitSeconds("a")]).toEqual([null, 60]);
});

it("forgets those that were heard of longest ago", () => {
  const rate = new CallRate(
    () => 0,
    () => 1,
  );
  expect(rate.waitSeconds("first")).toBeNull();
  for (let n = 0; n < 10_000; n++) rate.waitSeconds(String(n));
  expect(rate.waitSeconds("9999")).toBe(60);
  expect(rate.waitSeconds("first")).toBeNull();
});
