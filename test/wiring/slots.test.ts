import { expect, it } from "vitest";
import { Slots } from "../../src/wiring/slots.ts";

it("gives places in order, refuses when the queue is full, and takes each back once", async () => {
  const slots = new Slots({ slotsMax: 1, queueMax: 1 });
  const first = await slots.take();
  const second = slots.take();
  expect(await slots.take()).toBeNull();
  const third = slots.take("always");
  expect([slots.taken, slots.queued]).toEqual([1, 2]);
  first?.();
  first?.();
  const held = await second;
  expect(slots.queued).toBe(1);
  held?.();
  (await third)?.();
  expect([slots.taken, slots.queued]).toEqual([0, 0]);
});
