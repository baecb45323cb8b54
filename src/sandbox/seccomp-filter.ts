import { Buffer } from "node:buffer";
import { ABSENT_CALLS, type Architecture, DENIED_CALLS, MODE_CALLS, OPEN_CALLS, TRACING_CALLS } from "./syscalls.ts";

/* Classic BPF, `linux/filter.h`: u16 opcode, u8 jump if true, u8 jump if false, u32 constant; all little endian. */
const LOAD_WORD = 0x20;
const JUMP = 0x05;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/** The longest distance of a conditional jump. */
const CONDITIONAL_JUMP_MAX = 255;

/* `struct seccomp_data`. The filter reads the low half of an argument only: all arguments that it tests are ints. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const errno = (code: number): number => 0x00050000 + code;
const EPERM = errno(1);
const ENOSYS = errno(38);

/** All `CLONE_NEW…` flags that `clone` takes. */
const NAMESPACE_FLAGS = 0x7e020000;
/** `TIOCSTI` and `TIOCLINUX` type into a terminal. The session of its own prevents that too. */
const TERMINAL_REQUESTS = [0x5412, 0x541c] as const;
/** `S_ISUID` and `S_ISGID`. */
const SET_ID_BITS = 0o6000;
/** `O_CREAT` and the bit of `O_TMPFILE` that no other flag has: with neither, the mode argument is not read. */
const CREATING_FLAGS = 0o100 | 0o20000000;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
/** Reads the list of interfaces. All other netlink protocols are refused. */
const NETLINK_ROUTE = 0;

export interface FilterOptions {
  readonly unixSockets: "allow" | "deny";
  /** Whether a process may trace others. It reaches those of its own PID namespace only. */
  readonly tracing: "allow" | "deny";
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, constant: number];

/** Instructions that return a verdict on every path. */
type Body = readonly Instruction[];

/**
 * The filter for all programs in the sandbox, in the form that bubblewrap takes. It looks up a number by binary search:
 * the kernel runs a new filter for every number, so testing one number after another took a tenth of a sandbox's set-up.
 */
export function seccompFilter(
  { audit, foreignFrom, numbers }: Architecture,
  { unixSockets, tracing }: FilterOptions,
): Buffer {
  const tested: readonly (readonly [number | null, Body])[] = [
    ...(tracing === "allow"
      ? [[numbers.prctl, PARENT_DEATH_TEST] as const]
      : TRACING_CALLS.map((name) => [numbers[name], returns(EPERM)] as const)),
    ...DENIED_CALLS.map((name) => [numbers[name], returns(EPERM)] as const),
    ...ABSENT_CALLS.map((name) => [numbers[name], returns(ENOSYS)] as const),
    ...keysOf(MODE_CALLS).map((name) => [numbers[name], modeTest(MODE_CALLS[name])] as const),
    ...keysOf(OPEN_CALLS).map((name) => [numbers[name], openTest(OPEN_CALLS[name])] as const),
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

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(table) as Key[];

/** Holds for the numbers from `from` to the next range. */
type Range = readonly [from: number, Body];

function rangesOf(bodies: ReadonlyMap<number, Body>, foreignFrom: number | null): readonly Range[] {
  const allowed = returns(ALLOW);
  const ranges: Range[] = [[0, allowed]];
  const put = (from: number, body: Body): void => {
    const [lastFrom, last] = ranges.at(-1) ?? [];
    if (lastFrom === from) ranges.pop();
    if (lastFrom === from || last !== body) ranges.push([from, body]);
  };
  for (const [number, body] of [...bodies].sort(([one], [other]) => one - other)) {
    put(number, body);
    put(number + 1, allowed);
  }
  if (foreignFrom !== null) put(foreignFrom, returns(EPERM));
  return ranges;
}

function lookUp(ranges: readonly Range[]): Body {
  const [[, body] = [0, returns(EPERM)], ...others] = ranges;
  if (others.length === 0) return body;
  const half = ranges.length >> 1;
  const [below, above] = [lookUp(ranges.slice(0, half)), lookUp(ranges.slice(half))];
  const from = ranges[half]?.[0] ?? 0;
  return below.length <= CONDITIONAL_JUMP_MAX
    ? [[JUMP_IF_AT_LEAST, below.length, 0, from], ...below, ...above]
    : [[JUMP_IF_AT_LEAST, 0, 1, from], [JUMP, 0, 0, below.length], ...below, ...above];
}

const returns = (verdict: number): Body => [[RETURN, 0, 0, verdict]];

const returnsIf = (jump: number, constant: number, verdict: number): readonly Instruction[] => [
  [jump, 0, 1, constant],
  [RETURN, 0, 0, verdict],
];

const loadArgument = (index: number): Instruction => [LOAD_WORD, 0, 0, argumentAt(index)];

/**
 * A set-user-id file that a program leaves behind would run as the gate's user for everybody on the machine, and as root
 * where the gate is root. Folders can't be told from files here, so their set-group-id bit is refused as well.
 */
const modeTest = (mode: number): Body => [
  loadArgument(mode),
  ...returnsIf(JUMP_IF_ANY_BIT, SET_ID_BITS, EPERM),
  ...returns(ALLOW),
];

const openTest = ({ flags, mode }: { readonly flags: number; readonly mode: number }): Body => [
  loadArgument(flags),
  [JUMP_IF_ANY_BIT, 1, 0, CREATING_FLAGS],
  ...returns(ALLOW),
  ...modeTest(mode),
];

/** The internet families are allowed, since the sandbox's network namespace holds nothing but its own loopback. */
const socketTest = (unixSockets: FilterOptions["unixSockets"]): Body => [
  loadArgument(0),
  ...returnsIf(JUMP_IF_EQUAL, AF_INET, ALLOW),
  ...returnsIf(JUMP_IF_EQUAL, AF_INET6, ALLOW),
  ...(unixSockets === "allow" ? returnsIf(JUMP_IF_EQUAL, AF_UNIX, ALLOW) : []),
  [JUMP_IF_EQUAL, 1, 0, AF_NETLINK],
  ...returns(EPERM),
  loadArgument(2),
  ...returnsIf(JUMP_IF_EQUAL, NETLINK_ROUTE, ALLOW),
  ...returns(EPERM),
];

const CLONE_TEST: Body = [loadArgument(0), ...returnsIf(JUMP_IF_ANY_BIT, NAMESPACE_FLAGS, EPERM), ...returns(ALLOW)];

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * The sandbox's first process ends with bubblewrap by its parent-death signal. Who traces it can make it call `prctl`, and without
 * that signal the sandbox would outlive a killed gate.
 */
const PARENT_DEATH_TEST: Body = [
  loadArgument(0),
  [JUMP_IF_EQUAL, 1, 0, PR_SET_PDEATHSIG],
  ...returns(ALLOW),
  loadArgument(1),
  ...returnsIf(JUMP_IF_EQUAL, SIGKILL, ALLOW),
  ...returns(EPERM),
];

/** 0 is the usual personality, and the other value only asks for the present one. */
const PERSONALITY_TEST: Body = [
  loadArgument(0),
  ...returnsIf(JUMP_IF_EQUAL, 0, ALLOW),
  ...returnsIf(JUMP_IF_EQUAL, 0xffffffff, ALLOW),
  ...returns(EPERM),
];

const IOCTL_TEST: Body = [
  loadArgument(1),
  ...TERMINAL_REQUESTS.flatMap((request) => returnsIf(JUMP_IF_EQUAL, request, EPERM)),
  ...returns(ALLOW),
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
