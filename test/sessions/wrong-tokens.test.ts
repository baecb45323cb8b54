import { expect, it } from "vitest";
import { WrongTokens } from "../../src/sessions/wrong-tokens.ts";
import { handClock } from "../support/hand-clock.ts";

it("tells so many a minute one by one, and the rest as a number", () => {
  const clock = handClock();
  const told: number[] = [];
  const wrong = new WrongTokens(clock, (count) => told.push(count), 2);
  const count = () => wrong.count();
  expect([count(), count(), count(), count()]).toEqual(["told", "told", "counted", "counted"]);
  clock.move(59_999);
  expect([count(), told]).toEqual(["counted", []]);
  clock.move(1);
  expect([told, count(), clock.waiting()]).toEqual([[3], "told", 1]);
  wrong.end();
  expect([told, clock.waiting()]).toEqual([[3], 0]);
});

it("has nothing to tell where nothing came", () => {
  const told: number[] = [];
  new WrongTokens(handClock(), (count) => told.push(count)).end();
  expect(told).toEqual([]);
});
