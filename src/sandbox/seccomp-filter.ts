import { Buffer } from "node:buffer";
import { type Architecture, DENIED_CALLS } from "./syscalls.ts";

/* Classic BPF, `linux/filter.h`: u16 opcode, u8 jump if true, u8 jump if false, u32 constant; all little endian. */
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/* `struct seccomp_data`. Of the arguments only the low halves are looked at: all of these are ints. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const errno = (code: number): number => 0x00050000 + code;
const EPERM = errno(1);
/** libc falls back to the older call, whose flags can be looked at. */
const ENOSYS = errno(38);

/** All `CLONE_NEW…` that `clone` takes. */
const NAMESPACE_FLAGS = 0x7e020000;
/** Typing into somebody's terminal: `TIOCSTI`, `TIOCLINUX`. The session of its own prevents it as well. */
const TERMINAL_REQUESTS = [0x5412, 0x541c] as const;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
/** What reads the list of interfaces; all other protocols of that family are the kernel's own surface. */
const NETLINK_ROUTE = 0;

export interface FilterOptions {
  /** Whether sockets with names in the file system may be used: only to reach a proxy. */
  readonly unixSockets: "allowed" | "denied";
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, constant: number];

/**
 * The filter for all programs in the sandbox, as bubblewrap takes it. Numbers are looked up by halves: the kernel tries
 * every one of them when it takes a filter, and with one test after another that was a tenth of what a sandbox costs.
 */
export function seccompFilter({ audit, foreignFrom, numbers }: Architecture, { unixSockets }: FilterOptions): Buffer {
  const tested: readonly (readonly [number | null, Body])[] = [
    ...DENIED_CALLS.map((name) => [numbers[name], DENIED] as const),
    [numbers.clone3, [[RETURN, 0, 0, ENOSYS]]],
    [numbers.clone, CLONE_TEST],
    [numbers.personality, PERSONALITY_TEST],
    [numbers.ioctl, IOCTL_TEST],
    [numbers.socket, socketTest(unixSockets)],
  ];
  const bodies = new Map(tested.flatMap(([number, body]) => (number === null ? [] : [[number, body] as const])));
  return assembled([
    [LOAD_WORD, 0, 0, ARCHITECTURE_AT],
    [JUMP_IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, NUMBER_AT],
    ...lookUp(rangesOf(bodies, foreignFrom)),
  ]);
}

/** What is done about a call. Returns in any case. */
type Body = readonly Instruction[];

/** The numbers from here to where the next one begins. */
type Range = readonly [from: number, Body];

function rangesOf(bodies: ReadonlyMap<number, Body>, foreignFrom: number | null): readonly Range[] {
  const ranges: Range[] = [[0, ALLOWED]];
  const put = (from: number, body: Body): void => {
    const [lastFrom, last] = ranges.at(-1) ?? [];
    if (lastFrom === from) ranges.pop();
    if (lastFrom === from || last !== body) ranges.push([from, body]);
  };
  for (const [number, body] of [...bodies].sort(([one], [other]) => one - other)) {
    put(number, body);
    put(number + 1, ALLOWED);
  }
  if (foreignFrom !== null) put(foreignFrom, DENIED);
  return ranges;
}

function lookUp(ranges: readonly Range[]): Body {
  const [[, body] = [0, DENIED], ...others] = ranges;
  if (others.length === 0) return body;
  const half = ranges.length >> 1;
  const [below, above] = [lookUp(ranges.slice(0, half)), lookUp(ranges.slice(half))];
  if (below.length > LONGEST_JUMP) throw new RangeError("a jump that is too long");
  return [[JUMP_IF_AT_LEAST, below.length, 0, ranges[half]?.[0] ?? 0], ...below, ...above];
}

const LONGEST_JUMP = 255;

const ALLOWED: Body = [[RETURN, 0, 0, ALLOW]];
const DENIED: Body = [[RETURN, 0, 0, EPERM]];

/** The namespace has its own network with nothing in it, so the internet families are harmless, and tests use them. */
const socketTest = (unixSockets: FilterOptions["unixSockets"]): readonly Instruction[] => [
  [LOAD_WORD, 0, 0, argumentAt(0)],
  ...only(AF_INET),
  ...only(AF_INET6),
  ...(unixSockets === "allowed" ? only(AF_UNIX) : []),
  [JUMP_IF_EQUAL, 0, 3, AF_NETLINK],
  [LOAD_WORD, 0, 0, argumentAt(2)],
  ...only(NETLINK_ROUTE),
  [RETURN, 0, 0, EPERM],
];

const unless = (jump: number, constant: number, verdict: number): readonly Instruction[] => [
  [jump, 0, 1, constant],
  [RETURN, 0, 0, verdict],
];

const only = (constant: number): readonly Instruction[] => [
  [JUMP_IF_EQUAL, 0, 1, constant],
  [RETURN, 0, 0, ALLOW],
];

const CLONE_TEST: Body = [
  [LOAD_WORD, 0, 0, argumentAt(0)],
  ...unless(JUMP_IF_ANY_BIT, NAMESPACE_FLAGS, EPERM),
  ...ALLOWED,
];

const PERSONALITY_TEST: Body = [
  [LOAD_WORD, 0, 0, argumentAt(0)],
  ...only(0),
  ...only(0xffffffff), // only asks
  ...DENIED,
];

const IOCTL_TEST: Body = [
  [LOAD_WORD, 0, 0, argumentAt(1)],
  ...TERMINAL_REQUESTS.flatMap((request) => unless(JUMP_IF_EQUAL, request, EPERM)),
  ...ALLOWED,
];

function assembled(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, constant]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(constant >>> 0, index * 8 + 4);
  }
  return bytes;
}
