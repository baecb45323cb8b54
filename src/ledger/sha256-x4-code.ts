import { Buffer } from "node:buffer";

/** WebAssembly in bytes, put together when all is there. */
type Code = number | readonly Code[];

// The instructions that are needed, by https://webassembly.github.io/spec/core/binary/instructions.html.
const GET = 0x20;
const SET = 0x21;
const TEE = 0x22;
const I32_CONST = 0x41;
const I32_ADD = 0x6a;
const I32_SUB = 0x6b;
const I32_SHL = 0x74;
const LOOP = [0x03, 0x40];
const BRANCH_IF = [0x0d, 0];
const END = 0x0b;
const vector = (code: number, ...immediates: readonly Code[]): Code => [0xfd, unsigned(code), immediates];
const LOAD_FIRST = 0x5c;
const LOAD_LANE = 0x56;
const STORE_LANE = 0x5a;
const WORD = 2; // of 2^2 bytes, which is what loads and stores want to be told
const SPLAT = vector(0x11);
const AND = vector(0x4e);
const XOR = vector(0x51);
const SHIFT_LEFT = vector(0xab);
const SHIFT_RIGHT = vector(0xad);
const ADD = vector(0xae);
const SWAP_BYTES = vector(0x0d, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);

// The numbers of the locals: three parameters, whole numbers, then vectors of which each lane belongs to one message.
const [FIRST, BLOCKS, TO, SECOND, THIRD, FOURTH, STRIDE] = [0, 1, 2, 3, 4, 5, 6];
const HASH = 7;
const STATE = 15;
const SCHEDULE = 23;
const SPARE = 39;
const VECTORS = SPARE - HASH + 1;
const MESSAGES = [FIRST, SECOND, THIRD, FOURTH];

const get = (local: number): Code => [GET, local];
const set = (local: number, value: Code): Code => [value, SET, local];
const number = (value: number): Code => [I32_CONST, signed(value)];
const both = (a: Code, b: Code, instruction: Code): Code => [a, b, instruction];
const sum = (...values: readonly Code[]): Code => values.reduce((a, b) => both(a, b, ADD));
const xor = (...values: readonly Code[]): Code => values.reduce((a, b) => both(a, b, XOR));
const and = (a: Code, b: Code): Code => both(a, b, AND);
const everyLane = (value: number): Code => [number(value), SPLAT];
const shiftRight = (local: number, bits: number): Code => both(get(local), number(bits), SHIFT_RIGHT);
const shiftLeft = (local: number, bits: number): Code => both(get(local), number(bits), SHIFT_LEFT);
/** As the two halves that `xor` puts together. */
const rotated = (local: number, bits: number): readonly Code[] => [
  shiftRight(local, bits),
  shiftLeft(local, 32 - bits),
];
const swapped = (value: Code): Code => [value, TEE, SPARE, GET, SPARE, SWAP_BYTES];

const PRIMES = firstPrimes(64);
/** FIPS 180-4 section 4.2.2: the first 32 bits behind the point of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = PRIMES.map((prime) => bitsBehindThePoint(Math.cbrt(prime)));
/** Section 5.3.3: those of the square roots of the first eight. */
const INITIAL_HASH = PRIMES.slice(0, 8).map((prime) => bitsBehindThePoint(Math.sqrt(prime)));

/**
 * A module with one page of `memory` and `hashFour(from, blocks, to)`: SHA-256 (FIPS 180-4) of four messages at once,
 * which lie one behind the other, each padded to so many blocks. The hashes go where the tree has them hashed next: see
 * `HASH_PLACES`.
 */
export function sha256x4Code(): Uint8Array<ArrayBuffer> {
  const body = bytesOf([2, 4, 0x7f, VECTORS, 0x7b, hashFour(), END]);
  const module = [
    [...Buffer.from("\0asm\x01\0\0\0", "latin1")],
    section(1, [1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0]), // one type: three numbers, nothing back
    section(3, [1, 0]),
    section(5, [1, 0, 1]),
    section(7, [2, name("memory"), 2, 0, name("hashFour"), 0, 0]),
    section(10, [1, unsigned(body.length), body]),
  ];
  return Uint8Array.from(bytesOf(module));
}

/** Where the four hashes go, from `to` on: two and two are the children of one node, and a node has 128 bytes. */
export const HASH_PLACES = [0, 32, 128, 160] as const;

function hashFour(): Code {
  const behind = (message: number): Code => both(get(message), get(STRIDE), I32_ADD);
  return [
    set(STRIDE, both(get(BLOCKS), number(6), I32_SHL)),
    [SECOND, THIRD, FOURTH].map((message, i) => set(message, behind(MESSAGES[i] as number))),
    INITIAL_HASH.map((value, i) => set(HASH + i, everyLane(value))),
    LOOP,
    block(),
    MESSAGES.map((message) => set(message, both(get(message), number(64), I32_ADD))),
    both(get(BLOCKS), number(1), I32_SUB),
    TEE,
    BLOCKS,
    BRANCH_IF,
    END,
    upTo(8).map((i) => set(HASH + i, swapped(get(HASH + i)))),
    HASH_PLACES.map((place, lane) => upTo(8).map((i) => storeWord(i, place, lane))),
  ];
}

/** FIPS 180-4 section 6.2.2. The schedule is a ring of 16 words, each written anew when it is needed next. */
function block(): Code {
  return [
    upTo(16).map((i) => set(SCHEDULE + i, swapped(loadWord(i)))),
    upTo(8).map((i) => set(STATE + i, get(HASH + i))),
    upTo(64).map((t) => [t < 16 ? [] : nextWord(t), round(t)]),
    upTo(8).map((i) => set(HASH + i, sum(get(HASH + i), get(STATE + i)))),
  ];
}

function nextWord(t: number): Code {
  const word = (back: number): number => SCHEDULE + ((t - back) & 15);
  const sigma0 = xor(...rotated(word(15), 7), ...rotated(word(15), 18), shiftRight(word(15), 3));
  const sigma1 = xor(...rotated(word(2), 17), ...rotated(word(2), 19), shiftRight(word(2), 10));
  return set(word(16), sum(get(word(16)), sigma0, get(word(7)), sigma1));
}

/** The eight words of the state change their names from round to round, instead of their places. */
function round(t: number): Code {
  const [a, b, c, d, e, f, g, h] = upTo(8).map((i) => STATE + ((i - t) & 7)) as Eight;
  const sigma1 = xor(...rotated(e, 6), ...rotated(e, 11), ...rotated(e, 25));
  const choice = xor(and(xor(get(f), get(g)), get(e)), get(g));
  const sigma0 = xor(...rotated(a, 2), ...rotated(a, 13), ...rotated(a, 22));
  const majority = xor(and(xor(get(a), get(b)), xor(get(b), get(c))), get(b));
  const word = SCHEDULE + (t & 15);
  return [
    set(SPARE, sum(get(h), get(word), everyLane(ROUND_CONSTANTS[t] as number), sigma1, choice)),
    set(d, sum(get(d), get(SPARE))),
    set(h, sum(get(SPARE), sigma0, majority)),
  ];
}

type Eight = [number, number, number, number, number, number, number, number];

function loadWord(i: number): Code {
  const lane = (index: number): Code => vector(LOAD_LANE, WORD, unsigned(4 * i), index);
  const addresses = MESSAGES.toReversed().map(get); // the last one pushed is the first one used
  return [addresses, vector(LOAD_FIRST, WORD, unsigned(4 * i)), lane(1), lane(2), lane(3)];
}

const storeWord = (i: number, place: number, lane: number): Code => [
  get(TO),
  get(HASH + i),
  vector(STORE_LANE, WORD, unsigned(place + 4 * i), lane),
];

const section = (id: number, content: readonly Code[]): Code => {
  const bytes = bytesOf(content);
  return [id, unsigned(bytes.length), bytes];
};
const name = (text: string): Code => [text.length, [...Buffer.from(text)]];
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

function bytesOf(code: Code, into: number[] = []): number[] {
  if (typeof code === "number") into.push(code);
  else for (const part of code) bytesOf(part, into);
  return into;
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? value : [(value & 0x7f) | 0x80, unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? value & 0x7f : [(value & 0x7f) | 0x80, signed(value >> 7)];
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

function bitsBehindThePoint(value: number): number {
  return Math.floor((value % 1) * 2 ** 32) | 0;
}
