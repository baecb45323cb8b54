import {
  dword,
  EXIT_GROUP,
  executable,
  IF_NOT_ZERO,
  type Line,
  MEMORY_AT,
  SYSCALL,
  setEax,
  setEdi,
} from "./machine-code.ts";

/** Where it hears what to do, and answers. */
export const CHANNEL = 3;
/** Descriptors below are taken, so that none that it opens is one that a program is to have. */
export const FIRST_FREE = 16;

/** A message is read to here, as it is. More than any command line that a kernel takes. */
export const MESSAGE_AT = MEMORY_AT;
export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** How long it is, and where its first step is. */
export const HEAD_BYTES = 8;
/** What the first step said that failed, by the negative number of the error; part of the message, zero at first. */
export const FAILURE_AT = MESSAGE_AT + HEAD_BYTES;

/**
 * A step, in words of eight bytes: the number of a system call; where its first argument is to be found; its other five
 * arguments; where its result goes; the steps that follow a result above zero, of zero, and below (0: that was all); and
 * a word of its own, for a first argument that is known.
 */
export const STEP = {
  number: 0,
  first: 1,
  others: 2,
  result: 7,
  above: 8,
  zero: 9,
  below: 10,
  own: 11,
  words: 12,
} as const;

const [READ, IF_NEGATIVE, IF_ZERO, IF_NONE, IF_BELOW, ALWAYS] = [0, 0x78, 0x74, 0x7e, 0x72, 0xeb];

/**
 * Makes the system calls that it is told, one list after another, until nobody can tell it any more. It is so small that
 * a process which begins as its copy is nearly free; what the gate's own copy would cost is in the design. It uses no
 * stack, so that such a copy may share its memory.
 */
const X64: readonly Line[] = [
  "message",
  [0x41, 0xbd, ...dword(MESSAGE_AT)], // r13: where the next bytes go
  [0x41, 0xbe, ...dword(MESSAGE_AT + HEAD_BYTES)], // r14: up to where
  "more",
  ...[setEdi(CHANNEL), [0x4c, 0x89, 0xee]], // rsi = r13
  ...[
    [0x4c, 0x89, 0xf2],
    [0x4c, 0x29, 0xea],
  ], // rdx = r14 - r13
  ...[setEax(READ), SYSCALL],
  ...[[0x85, 0xc0], { jump: IF_NONE, to: "gone" }], // an end, or an error
  [0x49, 0x01, 0xc5], // r13 += rax
  ...[[0x4d, 0x39, 0xf5], { jump: IF_BELOW, to: "more" }], // r13 < r14
  ...[
    [0x8b, 0x0c, 0x25, ...dword(MESSAGE_AT)],
    [0x81, 0xc1, ...dword(MESSAGE_AT)],
  ], // rcx: the end of the message
  ...[[0x4c, 0x39, 0xf1], { jump: IF_ZERO, to: "run" }], // rcx = r14: that was all
  ...[[0x49, 0x89, 0xce], { jump: ALWAYS, to: "more" }], // r14 = rcx
  "gone",
  ...[setEdi(0), setEax(EXIT_GROUP), SYSCALL],
  ...["next", { jump: ALWAYS, to: "message" }], // from further off it is too far
  "run",
  [0x44, 0x8b, 0x24, 0x25, ...dword(MESSAGE_AT + 4)], // r12: the first step
  "step",
  [0x49, 0x8b, 0x04, 0x24], // rax = its number
  ...[
    [0x49, 0x8b, 0x7c, 0x24, 8 * STEP.first],
    [0x48, 0x8b, 0x3f],
  ], // rdi = what lies where its first argument is
  [0x49, 0x8b, 0x74, 0x24, 8 * STEP.others], // rsi
  [0x49, 0x8b, 0x54, 0x24, 8 * (STEP.others + 1)], // rdx
  [0x4d, 0x8b, 0x54, 0x24, 8 * (STEP.others + 2)], // r10
  [0x4d, 0x8b, 0x44, 0x24, 8 * (STEP.others + 3)], // r8
  [0x4d, 0x8b, 0x4c, 0x24, 8 * (STEP.others + 4)], // r9
  SYSCALL,
  ...[
    [0x49, 0x8b, 0x4c, 0x24, 8 * STEP.result],
    [0x48, 0x89, 0x01],
  ], // its result goes there
  ...[[0x48, 0x85, 0xc0], { jump: IF_NEGATIVE, to: "failed" }, { jump: IF_ZERO, to: "zero" }],
  ...[[0x4d, 0x8b, 0x64, 0x24, 8 * STEP.above], { jump: ALWAYS, to: "follow" }],
  "zero",
  ...[[0x4d, 0x8b, 0x64, 0x24, 8 * STEP.zero], { jump: ALWAYS, to: "follow" }],
  "failed",
  ...[[0x48, 0x83, 0x3c, 0x25, ...dword(FAILURE_AT), 0], { jump: IF_NOT_ZERO, to: "not the first" }],
  [0x48, 0x89, 0x04, 0x25, ...dword(FAILURE_AT)],
  "not the first",
  [0x4d, 0x8b, 0x64, 0x24, 8 * STEP.below],
  "follow",
  ...[[0x4d, 0x85, 0xe4], { jump: IF_NOT_ZERO, to: "step" }],
  { jump: ALWAYS, to: "next" },
];

/** Null: there is none for this processor. */
export const spawnerFor = (architecture: string): Buffer | null =>
  architecture === "x64" ? executable(X64, MESSAGE_BYTES_MAX) : null;
