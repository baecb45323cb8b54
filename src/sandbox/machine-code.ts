/* Programs of a few instructions that start others: too small to be worth a compiler, and read as what they are. */

/** A line of machine code; a text names a place, a jump goes to one, and `address` is followed by where one is. */
export type Line =
  | string
  | readonly number[]
  | { readonly jump: number; readonly to: string }
  | { readonly address: readonly number[]; readonly of: string };

export const dword = (value: number): readonly number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);

export const SYSCALL = [0x0f, 0x05];
export const setEax = (value: number) => [0xb8, ...dword(value)];
export const setEdi = (value: number) => [0xbf, ...dword(value)];
export const IF_NOT_ZERO = 0x75;

export const EXECVE = 59;
export const EXIT_GROUP = 231;

const CODE_AT = 0x40_0000;
/** What it may write to: empty when it starts. */
export const MEMORY_AT = 0x50_0000;
export const MEMORY_BYTES = 0x1_0000;

const FILE_HEAD = 64;
const PART_HEAD = 56;
const PARTS = 3;
const HEADS = FILE_HEAD + PARTS * PART_HEAD;
const X64_MACHINE = 62;

function sizeOf(line: Line): number {
  if (typeof line === "string") return 0;
  if ("jump" in line) return 2;
  return "address" in line ? line.address.length + 4 : line.length;
}

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
    if ("jump" in line) code.push(line.jump, shortWay(code.length + 2, places.get(line.to)));
    else if ("address" in line) code.push(...line.address, ...dword(CODE_AT + HEADS + (places.get(line.of) ?? 0)));
    else code.push(...line);
  }
  return Buffer.from(code);
}

/** One byte. A way that is longer would lead anywhere. */
function shortWay(from: number, to = Number.NaN): number {
  const way = to - from;
  if (!(way >= -128 && way <= 127)) throw new RangeError("a jump that is too long");
  return way & 0xff;
}

const [LOADED, STACK] = [1, 0x6474e551];
const [EXECUTABLE, WRITABLE, READABLE] = [1, 2, 4];
const PAGE = 0x1000n;

/** A file that an x64 kernel can start: the code, some memory, a stack that holds no code. */
export function executable(lines: readonly Line[], memoryBytes = MEMORY_BYTES): Buffer {
  const code = assembled(lines);
  const file = Buffer.alloc(HEADS);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16); // at fixed addresses
  file.writeUInt16LE(X64_MACHINE, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(CODE_AT + HEADS), 24);
  file.writeBigUInt64LE(BigInt(FILE_HEAD), 32);
  for (const [at, value] of [FILE_HEAD, PART_HEAD, PARTS].entries()) file.writeUInt16LE(value, 52 + 2 * at);
  const bytes = HEADS + code.length;
  const parts = [
    [LOADED, READABLE | EXECUTABLE, CODE_AT, bytes, bytes],
    [LOADED, READABLE | WRITABLE, MEMORY_AT, 0, memoryBytes],
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
