import { setImmediate as immediately } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turns } from "../../src/sandbox/turns.ts";

it("lets four go at once, and of the others four on each turn of the event loop", async () => {
  const turns = new Turns();
  let turn = 0;
  const counted = (async () => {
    for (; turn < 8; turn++) await immediately();
  })();
  const waited = Array.from({ length: 10 }, () => turns.next());
  const [first, second, third] = [waited.slice(0, 4), waited.slice(4, 8), waited.slice(8)];
  expect(first).toEqual([null, null, null, null]);
  const turnsOf = (some: typeof waited) => Promise.all(some.map((one) => one?.then(() => turn)));
  const [then, later] = [new Set(await turnsOf(second)), new Set(await turnsOf(third))];
  expect([then.size, later.size]).toEqual([1, 1]);
  expect(then).not.toEqual(later);
  await counted;
  expect(turns.next()).toBeNull();
});
