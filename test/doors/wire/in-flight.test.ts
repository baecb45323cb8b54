import { expect, it } from "vitest";
import { InFlight } from "../../../src/doors/wire/in-flight.ts";

it("lets each caller hold so many requests", () => {
  const inFlight = new InFlight(2);
  const [first, second] = [inFlight.enter("ann"), inFlight.enter("ann")];
  expect([first === null, second === null, inFlight.enter("ann")]).toEqual([false, false, null]);
  expect(inFlight.enter("bob")).not.toBeNull();
  first?.leave();
  expect(inFlight.enter("ann")).not.toBeNull();
});

it("lets each caller hold so many bytes, in all their requests together", () => {
  const inFlight = new InFlight(10, 100);
  const [one, other, third] = [inFlight.enter("ann"), inFlight.enter("ann"), inFlight.enter("ann")];
  expect([one?.take(60), other?.take(40), third?.take(1)]).toEqual([true, true, false]);
  expect(inFlight.enter("bob")?.take(100)).toBe(true);
  one?.leave();
  // What had no room is not counted.
  expect([third?.take(61), third?.take(60)]).toEqual([false, true]);
  for (const held of [other, third]) held?.leave();
  expect(inFlight.enter("ann")?.take(100)).toBe(true);
});
