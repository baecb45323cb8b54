import { CHANNEL, FAILURE_AT, HEAD_BYTES, MESSAGE_AT, MESSAGE_BYTES_MAX, STEP } from "./spawner-program.ts";

/** `man 2 syscalls`, of x64. */
export const CALLS = {
  ...{
    write: 1,
    close: 3,
    lseek: 8,
    dup2: 33,
    clone: 56,
    execve: 59,
    wait4: 61,
    setuid: 105,
    setgid: 106,
    setpgid: 109,
  },
  ...{ setgroups: 116, setrlimit: 160, exitGroup: 231, openat: 257, pipe2: 293, prlimit64: 302, memfdCreate: 319 },
  ...{ unshare: 272, closeRange: 436, mountSetattr: 442 },
} as const;

/** A number, or where there will be one by then. */
type First = number | { readonly at: number };

interface Step {
  readonly number: number;
  readonly first: First;
  readonly others: readonly number[];
  /** Where the result goes. Left out = nobody needs it. */
  readonly result?: number;
  /** Where it goes on after a result of zero, and after one below, which is an error. Left out = with the next. */
  readonly zero?: Label;
  readonly below?: Label;
  readonly isLast?: boolean;
}

/** A place in a list, which may be known only later. */
export interface Label {
  step: number | null;
}

/** What comes back: the first failure, the number of the list, and what its steps left there. */
export const ANSWER_WORDS = 16;
const [FAILURE, ID] = [0, 1];
const FIRST_SLOT = 2;
const DATA_AT = FAILURE_AT + 8 * ANSWER_WORDS;
/** Written, and read by nobody. */
const NOWHERE = DATA_AT;

export interface Slot {
  readonly at: number;
  readonly index: number;
}

export class TooLong extends Error {
  readonly code = "E2BIG";
}

/** What the spawner is to do, step by step: texts are in it as they are, and nothing in them is ever looked at. */
export class CallList {
  readonly #steps: Step[] = [];
  readonly #data: (readonly [at: number, Uint8Array])[] = [];
  #end = DATA_AT + 8;
  #slots = FIRST_SLOT;

  /** Where it will lie. */
  put(bytes: Uint8Array): number {
    const at = this.#end;
    this.#data.push([at, bytes]);
    this.#end += Math.ceil(bytes.length / 8) * 8;
    return at;
  }

  text(text: string): number {
    return this.put(Buffer.from(`${text}\0`));
  }

  /** Eight bytes each. */
  words(values: readonly number[]): number {
    const bytes = new Uint32Array(2 * values.length);
    for (const [index, value] of values.entries()) putWord(bytes, index, value);
    return this.put(new Uint8Array(bytes.buffer));
  }

  /** A word that comes back with the answer; until something is put there, it is of no descriptor. */
  slot(): Slot {
    const index = this.#slots++;
    if (index >= ANSWER_WORDS) throw new RangeError("an answer that is too long");
    return { at: FAILURE_AT + 8 * index, index };
  }

  /** The next step is the one that was meant. */
  place(label: Label): void {
    label.step = this.#steps.length;
  }

  step(number: number, first: First, others: readonly number[] = [], how: Partial<Step> = {}): void {
    this.#steps.push({ number, first, others, ...how });
  }

  /** Answers, and that is all. */
  answer(): void {
    this.step(CALLS.write, CHANNEL, [FAILURE_AT, 8 * ANSWER_WORDS], { isLast: true });
  }

  /** As it is sent. */
  message(id: number): Uint8Array {
    const stepBytes = 8 * STEP.words;
    const stepAt = (index: number): number => this.#end + index * stepBytes;
    const bytes = this.#end - MESSAGE_AT + this.#steps.length * stepBytes;
    if (bytes > MESSAGE_BYTES_MAX) throw new TooLong();
    const message = new Uint8Array(bytes);
    const words = new Uint32Array(message.buffer);
    words[0] = bytes;
    words[1] = stepAt(0);
    putWord(words, HEAD_BYTES / 8 + ID, id);
    for (let slot = FIRST_SLOT; slot < this.#slots; slot++) putWord(words, HEAD_BYTES / 8 + slot, NO_DESCRIPTORS);
    for (const [at, data] of this.#data) message.set(data, at - MESSAGE_AT);
    for (const [index, step] of this.#steps.entries()) {
      const at = (stepAt(index) - MESSAGE_AT) / 8;
      const { number, first, others, result = NOWHERE, zero, below, isLast = false } = step;
      const own = stepAt(index) + 8 * STEP.own;
      const next = isLast ? 0 : stepAt(index + 1);
      putWord(words, at + STEP.number, number);
      putWord(words, at + STEP.first, typeof first === "number" ? own : first.at);
      if (typeof first === "number") putWord(words, at + STEP.own, first);
      for (const [nth, value] of others.entries()) putWord(words, at + STEP.others + nth, value);
      putWord(words, at + STEP.result, result);
      putWord(words, at + STEP.above, next);
      putWord(words, at + STEP.zero, zero?.step == null ? next : stepAt(zero.step));
      putWord(words, at + STEP.below, below?.step == null ? next : stepAt(below.step));
    }
    return message;
  }
}

/** Two of them: -1 each. */
const NO_DESCRIPTORS = -1;

/** Two's complement, the low half first. */
function putWord(words: Uint32Array, index: number, value: number): void {
  words[2 * index] = value % 2 ** 32;
  words[2 * index + 1] = Math.floor(value / 2 ** 32);
}

/** What came back. */
export class Answer {
  readonly #words: DataView;

  constructor(bytes: Uint8Array) {
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get id(): number {
    return this.#words.getInt32(8 * ID, true);
  }

  /** The number of the error of the first step that failed; 0 = none did. */
  get errno(): number {
    return 0 - this.#words.getInt32(8 * FAILURE, true);
  }

  /** Both halves: the two ends of a pipe are told as one word. */
  halves(slot: number): readonly [number, number] {
    return [this.#words.getInt32(8 * slot, true), this.#words.getInt32(8 * slot + 4, true)];
  }
}
