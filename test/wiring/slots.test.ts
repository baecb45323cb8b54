import { expect, it } from "vitest";
import { Slots } from "../../src/wiring/slots.ts";

it("gives places in order, refuses when the queue is full, and takes each back once", async () => {
  const slots = new Slots({ slotsMax: 1, queueMax: 1 });
  const first = await slots.take("a");
  const second = slots.take("a");
  expect(await slots.take("b")).toBeNull();
  const third = slots.takeApproved("c");
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
  const release = slots.takeApprovedNow("b");
  expect([release === null, slots.takeApprovedNow("b"), slots.taken, slots.queued]).toEqual([false, null, 1, 0]);
  const other = slots.take("a");
  release?.();
  release?.();
  (await other)?.();
  expect(slots.taken).toBe(0);
});

it("keeps a part of the places for others than the one whose calls were approved", async () => {
  const slots = new Slots({ slotsMax: 4, queueMax: 2 });
  const held = ["a", "a", "a"].map((owner) => slots.takeApprovedNow(owner));
  expect([slots.takeApprovedNow("a"), slots.taken]).toEqual([null, 3]);
  const waiting = [slots.takeApproved("a"), slots.takeApproved("a")];
  expect([slots.taken, slots.queued]).toEqual([3, 2]);
  const other = await slots.take("b");
  expect([slots.taken, slots.queued]).toEqual([4, 2]);
  // What waits there of its own accord is bound by the queue; what was approved is not, and takes nobody's part of it.
  const approved = slots.takeApproved("c");
  other?.();
  (await approved)();
  for (const release of held) release?.();
  for (const one of waiting) (await one)();
  expect([slots.taken, slots.queued]).toEqual([0, 0]);
});
