import { accessSync, closeSync, constants, openSync } from "node:fs";
import { LAUNCH_FDS } from "./bubblewrap-arguments.ts";
import {
  dword,
  EXECVE,
  EXIT_GROUP,
  executable,
  IF_NOT_ZERO,
  type Line,
  SYSCALL,
  setEax,
  setEdi,
} from "./machine-code.ts";
import { openContent } from "./nameless-file.ts";
import { RESOURCES, type RLimit } from "./rlimit.ts";

const SETRLIMIT = 160;

/** Sets the limits that are written into it, and becomes the program that it is given with its arguments. */
const limiterProgram = (limits: readonly RLimit[]): readonly Line[] => [
  { address: [0x41, 0xbc], of: "limits" }, // r12: the next of them
  [0x41, 0xbd, ...dword(limits.length)], // r13: how many are left
  "next",
  ...[
    [0x41, 0x8b, 0x3c, 0x24],
    [0x49, 0x8d, 0x74, 0x24, 0x08],
  ], // edi: of what, rsi: how much
  ...[setEax(SETRLIMIT), SYSCALL, [0x85, 0xc0], { jump: IF_NOT_ZERO, to: "refused" }],
  ...[[0x49, 0x83, 0xc4, 0x18], [0x41, 0xff, 0xcd], { jump: IF_NOT_ZERO, to: "next" }],
  ...[
    [0x48, 0x8b, 0x7c, 0x24, 0x10],
    [0x48, 0x8d, 0x74, 0x24, 0x10],
  ], // its words but the first
  ...[
    [0x48, 0x8b, 0x04, 0x24],
    [0x48, 0x8d, 0x54, 0xc4, 0x10],
  ], // its environment
  ...[setEax(EXECVE), SYSCALL],
  "refused",
  ...[setEdi(126), setEax(EXIT_GROUP), SYSCALL],
  "limits",
  ...limits.flatMap(([resource, soft, hard]) => [RESOURCES[resource], soft, hard].map(qword)),
];

const qword = (value: number): readonly number[] => [...dword(value % 2 ** 32), ...dword(Math.floor(value / 2 ** 32))];

/** A start that looks in vain is no disaster; so many sets of limits are none that anybody needs. */
const KINDS_MAX = 16;
/** Descriptors below are given away when something is started. */
const LOW = Math.max(...Object.values(LAUNCH_FDS));

const known = new Map<string, string | null>();

/**
 * What is put before a command line to limit it, for as long as this process lives: a file without a name, by which
 * `prlimit` is saved, and that costs as much as starting a program. Null: it can't be started here, and `prlimit` can.
 */
export function limiterFor(limits: readonly RLimit[], architecture: string = process.arch): string | null {
  if (architecture !== "x64") return null;
  const key = JSON.stringify(limits);
  const path = known.get(key);
  if (path !== undefined) return path;
  if (known.size === KINDS_MAX) return null;
  const made = startable(executable(limiterProgram(limits)));
  known.set(key, made);
  return made;
}

function startable(program: Uint8Array): string | null {
  try {
    using file = openContent(program, 0o755);
    const path = `/proc/self/fd/${highDescriptor(file.fd)}`;
    accessSync(path, constants.X_OK); // not where temporary files can't be started
    return path;
  } catch {
    return null;
  }
}

function highDescriptor(fd: number): number {
  const low: number[] = [];
  try {
    for (;;) {
      const next = openSync(`/proc/self/fd/${fd}`, "r");
      if (next > LOW) return next;
      low.push(next);
    }
  } finally {
    for (const one of low) closeSync(one);
  }
}
