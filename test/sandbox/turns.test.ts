import { setImmediate as immediately } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turns } from "../../src/sandbox/turns.ts";

it("lets one go at once, and each of the others on a turn of the event loop of its own", async () => {
  const turns = new Turns();
  let turn = 0;
  const counted = (async () => {
    while (turn < 8) {
      await immediately();
      turn++;
    }
  })();
  const waited = [turns.next(), turns.next(), turns.next()];
  expect(waited[0]).toBeNull();
  const seen = await Promise.all(waited.slice(1).map((one) => one?.then(() => turn)));
  expect(new Set(seen).size).toBe(2);
  await counted;
  expect(turns.next()).toBeNull();
});
