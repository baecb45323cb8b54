import { LAUNCH_FDS } from "./bubblewrap-arguments.ts";

/* Where the starter keeps what it reads, and then the list of where each word begins. */
const CODE_AT = 0x40_0000;
const WORDS_AT = 0x50_0000;
const LIST_AT = 0x50_c000;
const MEMORY = 0x1_0000;
const BYTES_MAX = LIST_AT - WORDS_AT;
const WORDS_MAX = (MEMORY - BYTES_MAX) / 8 - 1;
/** Before the words: how many bytes there are with these, and how many words. */
const HEAD_BYTES = 8;

const FCNTL = 72;
const READ = 0;
const WRITE = 1;
const EXECVE = 59;
const EXIT_GROUP = 231;
const SET_DESCRIPTOR_FLAGS = 2;
const CLOSE_ON_EXEC = 1;

/** A line of machine code; a text names a place, a jump goes to one. */
type Line = string | readonly number[] | { readonly jump: number; readonly to: string };

const dword = (value: number): readonly number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const SYSCALL = [0x0f, 0x05];
const setEax = (value: number) => [0xb8, ...dword(value)];
const setEdx = (value: number) => [0xba, ...dword(value)];
const setEsi = (value: number) => [0xbe, ...dword(value)];
const setEdi = (value: number) => [0xbf, ...dword(value)];
const EDI_IS_THE_PIPE = [0x89, 0xef];
const [IF_BELOW, IF_NOT_ZERO, IF_NONE] = [0x72, 0x75, 0x7e];

/**
 * Reads its words from a pipe and becomes the program that they name, with the environment it was given. All of the
 * words or nothing: whoever breaks off, or goes, has started nothing. Where it can't become that program it says so on
 * the same pipe, which no program gets to see.
 */
const X64: readonly Line[] = [
  [0x48, 0x8b, 0x04, 0x24], // rax: how many words it was started with itself
  [0x48, 0x8d, 0x5c, 0xc4, 0x10], // rbx: the environment, behind them
  [0xbd, ...dword(LAUNCH_FDS.words)], // ebp: the pipe
  ...[EDI_IS_THE_PIPE, setEsi(SET_DESCRIPTOR_FLAGS), setEdx(CLOSE_ON_EXEC), setEax(FCNTL), SYSCALL],
  [0x41, 0xbc, ...dword(WORDS_AT)], // r12: where the next bytes go
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
  ...[setEdi(WORDS_AT + HEAD_BYTES), setEsi(LIST_AT), [0x48, 0x89, 0xda], setEax(EXECVE), SYSCALL],
  ...[
    [0xf7, 0xd8],
    [0x89, 0x04, 0x25, ...dword(WORDS_AT)],
  ], // still here: why
  ...[EDI_IS_THE_PIPE, setEsi(WORDS_AT), setEdx(1), setEax(WRITE), SYSCALL],
  "gone",
  ...[setEdi(127), setEax(EXIT_GROUP), SYSCALL],
];

const sizeOf = (line: Line): number => (typeof line === "string" ? 0 : "jump" in line ? 2 : line.length);

function assembled(lines: readonly Line[]): Buffer {
  const places = new Map<string, number>();
  let at = 0;
  for (const line of lines) {
    if (typeof line === "string") places.set(line, at);
    at += sizeOf(line);
  }
  const code: number[] = [];
  for (const line of lines) {
    if (typeof line === "string") continue;
    if ("jump" in line) code.push(line.jump, ((places.get(line.to) ?? 0) - (code.length + 2)) & 0xff);
    else code.push(...line);
  }
  return Buffer.from(code);
}

const FILE_HEAD = 64;
const PART_HEAD = 56;
const PARTS = 3;
const [LOADED, STACK] = [1, 0x6474e551];
const [EXECUTABLE, WRITABLE, READABLE] = [1, 2, 4];
const PAGE = 0x1000n;

/** A file that the kernel can start: the code, some memory, a stack that holds no code. */
function executable(code: Buffer, machine: number): Buffer {
  const heads = FILE_HEAD + PARTS * PART_HEAD;
  const file = Buffer.alloc(heads);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16); // at fixed addresses
  file.writeUInt16LE(machine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(CODE_AT + heads), 24);
  file.writeBigUInt64LE(BigInt(FILE_HEAD), 32);
  for (const [at, value] of [FILE_HEAD, PART_HEAD, PARTS].entries()) file.writeUInt16LE(value, 52 + 2 * at);
  const bytes = heads + code.length;
  const parts = [
    [LOADED, READABLE | EXECUTABLE, CODE_AT, bytes, bytes],
    [LOADED, READABLE | WRITABLE, WORDS_AT, 0, MEMORY],
    [STACK, READABLE | WRITABLE, 0, 0, 0],
  ] as const;
  for (const [index, [kind, access, address, inFile, inMemory]] of parts.entries()) {
    const at = FILE_HEAD + index * PART_HEAD;
    file.writeUInt32LE(kind, at);
    file.writeUInt32LE(access, at + 4);
    for (const [field, value] of [0, address, address, inFile, inMemory].entries())
      file.writeBigUInt64LE(BigInt(value), at + 8 + 8 * field);
    file.writeBigUInt64LE(PAGE, at + 48);
  }
  return Buffer.concat([file, code]);
}

const X64_MACHINE = 62;

/** Null: there is none for this processor, and programs are started without. */
export const starterFor = (architecture: string): Buffer | null =>
  architecture === "x64" ? executable(assembled(X64), X64_MACHINE) : null;

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
