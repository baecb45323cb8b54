import { LAUNCH_FDS } from "./bubblewrap-arguments.ts";
import {
  dword,
  EXECVE,
  EXIT_GROUP,
  executable,
  IF_NOT_ZERO,
  type Line,
  MEMORY_AT,
  MEMORY_BYTES,
  SYSCALL,
  setEax,
  setEdi,
} from "./machine-code.ts";

/* Where the starter keeps what it reads, and then the list of where each word begins. */
const WORDS_AT = MEMORY_AT;
const BYTES_MAX = 0xc000;
const LIST_AT = WORDS_AT + BYTES_MAX;
const WORDS_MAX = (MEMORY_BYTES - BYTES_MAX) / 8 - 1;
/** Before the words: how many bytes there are with these, and how many words. */
const HEAD_BYTES = 8;

const FCNTL = 72;
const READ = 0;
const WRITE = 1;
const SET_DESCRIPTOR_FLAGS = 2;
const CLOSE_ON_EXEC = 1;

const setEdx = (value: number) => [0xba, ...dword(value)];
const setEsi = (value: number) => [0xbe, ...dword(value)];
const EDI_IS_THE_PIPE = [0x89, 0xef];
const SAID = setEdi(LAUNCH_FDS.said);
const [IF_BELOW, IF_NONE, IF_NOT_ABOVE, ALWAYS] = [0x72, 0x7e, 0x76, 0xeb];
/** Nothing is ever put there: the list ends with a word of zeros at the latest here. */
const ZERO_AT = MEMORY_AT + MEMORY_BYTES - 1;
const END: readonly Line[] = [setEdi(127), setEax(EXIT_GROUP), SYSCALL];

/**
 * Becomes the program that it was given behind its own name, with the environment it was given; without any it reads
 * the words from a pipe. All of these or nothing: whoever breaks off, or goes, has started nothing. Where it can't become that program it says so on
 * another pipe; no program gets to see either. Before it tries it says there that it does: who dies earlier, or has
 * nobody to hear that, has started nothing.
 */
const X64: readonly Line[] = [
  [0x48, 0x8b, 0x04, 0x24], // rax: how many words it was started with itself
  [0x48, 0x8d, 0x5c, 0xc4, 0x10], // rbx: the environment, behind them
  [0xbd, ...dword(LAUNCH_FDS.words)], // ebp: the pipe
  ...[EDI_IS_THE_PIPE, setEsi(SET_DESCRIPTOR_FLAGS), setEdx(CLOSE_ON_EXEC), setEax(FCNTL), SYSCALL],
  ...[SAID, setEax(FCNTL), SYSCALL],
  ...[[0x83, 0x3c, 0x24, 0x01], { jump: IF_NOT_ABOVE, to: "reads" }], // it has no word but its own name
  ...[[0x4c, 0x8d, 0x6c, 0x24, 0x10], { jump: ALWAYS, to: "becomes" }], // r13: the list of words
  "reads",
  [0x41, 0xbc, ...dword(WORDS_AT)], // r12: where the next bytes go
  { jump: ALWAYS, to: "more" },
  "gone",
  ...END,
  "more",
  ...[EDI_IS_THE_PIPE, [0x44, 0x89, 0xe6]], // esi = r12
  ...[setEdx(LIST_AT), [0x44, 0x29, 0xe2]], // edx = what room there is
  ...[setEax(READ), SYSCALL],
  ...[[0x85, 0xc0], { jump: IF_NONE, to: "gone" }], // an end, or an error
  [0x41, 0x01, 0xc4], // r12 += eax
  ...[
    [0x44, 0x89, 0xe1],
    [0x81, 0xe9, ...dword(WORDS_AT)],
  ], // ecx = how many bytes there are
  ...[[0x83, 0xf9, HEAD_BYTES], { jump: IF_BELOW, to: "more" }],
  ...[[0x3b, 0x0c, 0x25, ...dword(WORDS_AT)], { jump: IF_BELOW, to: "more" }], // fewer than announced
  [0x8b, 0x0c, 0x25, ...dword(WORDS_AT + 4)], // ecx = how many words
  ...[setEsi(WORDS_AT + HEAD_BYTES), setEdi(LIST_AT)],
  "word",
  ...[
    [0x48, 0x89, 0x37],
    [0x83, 0xc7, 0x08],
  ], // it begins here
  "letter",
  ...[[0x80, 0x3e, 0x00], [0x8d, 0x76, 0x01], { jump: IF_NOT_ZERO, to: "letter" }], // to behind its NUL
  ...[[0xff, 0xc9], { jump: IF_NOT_ZERO, to: "word" }],
  [0x48, 0x89, 0x0f], // the list ends with nothing
  [0x41, 0xbd, ...dword(LIST_AT)], // r13
  "becomes",
  ...[SAID, setEsi(ZERO_AT), setEdx(1), setEax(WRITE), SYSCALL], // a zero: it has all of them
  ...[
    [0x49, 0x8b, 0x7d, 0x00],
    [0x4c, 0x89, 0xee],
    [0x48, 0x89, 0xda],
  ], // rdi = the first word, rsi = r13, rdx = rbx
  ...[setEax(EXECVE), SYSCALL],
  ...[
    [0xf7, 0xd8],
    [0x89, 0x04, 0x25, ...dword(WORDS_AT)],
  ], // still here: why
  ...[SAID, setEsi(WORDS_AT), setEdx(1), setEax(WRITE), SYSCALL],
  ...END,
];

/** Null: there is none for this processor, and programs are started without. */
export const starterFor = (architecture: string): Buffer | null => (architecture === "x64" ? executable(X64) : null);

/** What the starter is told. Null: it could not take that, or would have to look for the program. */
export function starterWords(argv: readonly [string, ...string[]]): Buffer | null {
  if (!argv[0].startsWith("/") || argv.length > WORDS_MAX) return null;
  if (argv.some((word) => word.includes("\0"))) return null;
  const words = Buffer.from(`${argv.join("\0")}\0`);
  const bytes = HEAD_BYTES + words.length;
  if (bytes > BYTES_MAX) return null;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(bytes, 0);
  head.writeUInt32LE(argv.length, 4);
  return Buffer.concat([head, words]);
}
