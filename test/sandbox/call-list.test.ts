import { expect, it } from "vitest";
import { ANSWER_WORDS, Answer, CALLS, CallList, TooLong } from "../../src/sandbox/call-list.ts";
import { MESSAGE_AT, MESSAGE_BYTES_MAX, STEP } from "../../src/sandbox/spawner-program.ts";

const wordsOf = (message: Uint8Array): BigInt64Array => new BigInt64Array(message.buffer);

it("says how long it is, and where its first step is", () => {
  const list = new CallList();
  const at = list.text("seven b");
  list.step(CALLS.close, -5, [1, 2 ** 40 + 3]);
  list.answer();
  const message = list.message(9);
  const [head = 0n] = wordsOf(message);
  const [bytes, first] = [Number(head & 0xffff_ffffn), Number(head >> 32n) - MESSAGE_AT];
  expect(bytes).toBe(message.length);
  expect(Buffer.from(message).toString("latin1", at - MESSAGE_AT, at - MESSAGE_AT + 8)).toBe("seven b\0");
  const step = wordsOf(message).subarray(first / 8, first / 8 + STEP.words);
  expect([step[STEP.number], step[STEP.own], step[STEP.others], step[STEP.others + 1]]).toEqual([
    BigInt(CALLS.close),
    -5n,
    1n,
    2n ** 40n + 3n,
  ]);
  // Its first argument is found in itself; what follows is the answer, and nothing behind that.
  expect(step[STEP.first]).toBe(BigInt(MESSAGE_AT + first + 8 * STEP.own));
  expect([step[STEP.above], step[STEP.zero], step[STEP.below]]).toEqual(
    Array.from({ length: 3 }, () => BigInt(MESSAGE_AT + first + 8 * STEP.words)),
  );
  expect(message.length).toBe(first + 2 * 8 * STEP.words);
});

it("has room for as much as the spawner has, and for as many words as come back", () => {
  const list = new CallList();
  const free = MESSAGE_BYTES_MAX - list.message(0).length;
  list.put(new Uint8Array(free));
  expect(list.message(0)).toHaveLength(MESSAGE_BYTES_MAX);
  list.put(new Uint8Array(1));
  expect(() => list.message(0)).toThrow(TooLong);
  const slots = new CallList();
  for (let index = 2; index < ANSWER_WORDS; index++) expect(slots.slot().index).toBe(index);
  expect(() => slots.slot()).toThrow(RangeError);
});

it("reads what comes back", () => {
  const bytes = new BigInt64Array(ANSWER_WORDS);
  bytes.set([-2n, 7n, (5n << 32n) | 4n]);
  const answer = new Answer(new Uint8Array(bytes.buffer));
  expect([answer.errno, answer.id, answer.halves(2)]).toEqual([2, 7, [4, 5]]);
});
