import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Whether the file is of a kind that the kernel starts. bubblewrap hands every other file to `/bin/sh`, which would run
 * it as a script that the plan does not name. A file that is exchanged afterwards is no danger: whoever can write it can
 * write `#!/bin/sh` into it as well.
 */
export function isStartable(pid: number, program: string, folder: string): boolean {
  const head = headOf(`/proc/${pid}/root${resolve(folder, program)}`);
  // The kernel tells about a file that is missing or can't be read.
  if (head === null) return true;
  return isScript(head) || isProgram(head) || hasOtherKinds();
}

const isScript = (head: Buffer): boolean => head.toString("latin1", 0, 2) === "#!";

const HEAD_BYTES = 64;
const ELF = "\x7fELF\x02\x01";
/** `ET_EXEC` and `ET_DYN`. */
const STARTED_TYPES: ReadonlySet<number> = new Set([2, 3]);
/** `EM_X86_64` and `EM_AARCH64`. */
const MACHINES: Readonly<Record<string, number>> = { x64: 62, arm64: 183 };

/** `man 5 elf`: the fields that the kernel looks at first. */
const isProgram = (head: Buffer): boolean =>
  head.length === HEAD_BYTES &&
  head.toString("latin1", 0, ELF.length) === ELF &&
  STARTED_TYPES.has(head.readUInt16LE(16)) &&
  head.readUInt16LE(18) === MACHINES[process.arch] &&
  head.readUInt16LE(56) > 0;

/** Kinds of files that the operator told the kernel about, such as programs of other processors. */
function hasOtherKinds(): boolean {
  try {
    return readdirSync("/proc/sys/fs/binfmt_misc").some((name) => name !== "register" && name !== "status");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Null: there is no such file, or this process may not read it. */
function headOf(path: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null; // bubblewrap finds out why, and says it
  }
  try {
    if (!fstatSync(fd).isFile()) return null;
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}
