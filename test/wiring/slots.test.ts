import { expect, it } from "vitest";
import { Slots } from "../../src/wiring/slots.ts";

it("gives places in order, refuses when the queue is full, and takes each back once", async () => {
  const slots = new Slots({ slotsMax: 1, queueMax: 1 });
  const first = await slots.take("a");
  const second = slots.take("a");
  expect(await slots.take("b")).toBeNull();
  const third = slots.takeApproved();
  expect([slots.taken, slots.queued]).toEqual([1, 2]);
  first?.();
  first?.();
  // What was approved goes first.
  (await third)();
  (await second)?.();
  expect([slots.taken, slots.queued]).toEqual([0, 0]);
});

it("keeps a part of the places and of the queue for others than the one who asks most", async () => {
  const slots = new Slots({ slotsMax: 4, queueMax: 4 });
  const held = [await slots.take("a"), await slots.take("a"), await slots.take("a")];
  const waiting = [slots.take("a"), slots.take("a")];
  expect(await slots.take("a")).toBeNull();
  expect([slots.taken, slots.queued]).toEqual([3, 2]);
  const other = await slots.take("b");
  expect([slots.taken, slots.queued]).toEqual([4, 2]);
  // A place of another is none for who has its share already.
  other?.();
  expect([slots.taken, slots.queued]).toEqual([3, 2]);
  for (const release of held) release?.();
  for (const one of waiting) (await one)?.();
  expect([slots.taken, slots.queued]).toEqual([0, 0]);
});

it("gives what was approved a place at once, or none", async () => {
  const slots = new Slots({ slotsMax: 1, queueMax: 1 });
  const release = slots.takeApprovedNow();
  expect([release === null, slots.takeApprovedNow(), slots.taken, slots.queued]).toEqual([false, null, 1, 0]);
  const other = slots.take("a");
  release?.();
  release?.();
  (await other)?.();
  expect(slots.taken).toBe(0);
});
