import { constants } from "node:fs";
import { LAUNCH_FDS } from "./bubblewrap-arguments.ts";
import { CALLS, CallList, type Label, type Slot } from "./call-list.ts";
import { closeDevices } from "./closed-devices.ts";
import type { LaunchOrder } from "./launched.ts";
import { RESOURCES } from "./rlimit.ts";

const [O_CLOEXEC, MFD_CLOEXEC, CURRENT_FOLDER, FROM_HERE] = [0o2000000, 1, -100, 1];
const HIGHEST = 2 ** 32 - 1;
/** `man 2 clone`: as `vfork` does it. The copy has its own descriptors, and the memory until it becomes another program. */
const AS_VFORK = 0x100 | 0x4000 | 17;
const NOT_STARTED = 126;

/** `fd` is the program's end; the other one is ours. */
interface Pipe {
  readonly fd: number;
  readonly to: "us" | "it";
  readonly slot: Slot;
}

const PIPES = [
  ["stdout", 1, "us"],
  ["stderr", 2, "us"],
  ["status", LAUNCH_FDS.status, "us"],
  ["start", LAUNCH_FDS.start, "it"],
] as const;
const STDIN = ["stdin", 0, "it"] as const;
const SAID = ["said", LAUNCH_FDS.said, "us"] as const;
const WORDS = ["words", LAUNCH_FDS.words, "it"] as const;

export type PipeName = (typeof PIPES | readonly [typeof STDIN, typeof SAID, typeof WORDS])[number][0];
export type Pipes = ReadonlyMap<PipeName, Pipe>;

/** The most that one takes: its pipes. */
export const DESCRIPTORS_NEEDED = PIPES.length + 3;

interface StartList {
  readonly list: CallList;
  readonly pid: Slot;
  readonly pipes: Pipes;
}

/** Of a pipe, the first half is where it is read. */
const itsEnd = ({ to, slot }: Pipe) => ({ at: slot.at + (to === "us" ? 4 : 0) });
const ourEnd = ({ to, slot }: Pipe) => ({ at: slot.at + (to === "us" ? 0 : 4) });

interface CopyOptions {
  /** Where the copy writes a zero, to be bounded by them. */
  readonly entries: readonly string[];
  readonly closesDevices: boolean;
}

/** What the spawner is told: either it has started one and answers with it and our ends, or there is nothing of it. */
export function startList(order: LaunchOrder, how: CopyOptions): StartList {
  const list = new CallList();
  const [pid, options] = [list.slot(), list.slot()];
  const wanted = [
    ...PIPES,
    ...(order.stdin === "pipe" ? [STDIN] : []),
    ...(order.starter === "none" ? [] : [SAID]),
    ...(order.starter === "waits" ? [WORDS] : []),
  ];
  const pipes: Pipes = new Map(wanted.map(([name, fd, to]) => [name, { fd, to, slot: list.slot() }]));
  const told = Buffer.from(order.options);
  const ends = [...pipes.values()];
  const [failed, inCopy]: readonly [Label, Label] = [{ step: null }, { step: null }];
  const orFail = { below: failed };
  for (const { slot } of ends) list.step(CALLS.pipe2, slot.at, [O_CLOEXEC], orFail);
  list.step(CALLS.memfdCreate, list.text("options"), [MFD_CLOEXEC], { result: options.at, ...orFail });
  list.step(CALLS.write, options, [list.put(told), told.length], orFail);
  // All of it, or there is no such way back.
  list.step(CALLS.lseek, options, [-told.length, FROM_HERE], orFail);
  list.step(CALLS.clone, AS_VFORK, [], { result: pid.at, zero: inCopy, ...orFail });
  const closeIts = (): void => {
    for (const end of ends) list.step(CALLS.close, itsEnd(end));
    list.step(CALLS.close, options);
    list.answer();
  };
  closeIts();
  list.place(failed);
  for (const end of ends) list.step(CALLS.close, ourEnd(end));
  closeIts();
  list.place(inCopy);
  copySteps(list, pipes, options, order, how);
  return { list, pid, pipes };
}

/** What the copy does to become bubblewrap: every step, or it ends. */
function copySteps(
  list: CallList,
  pipes: Pipes,
  options: Slot,
  { argv, files, limits, somebody, stdin }: LaunchOrder,
  { entries, closesDevices }: CopyOptions,
): void {
  const opened = { at: list.words([0]) };
  const end: Label = { step: null };
  const step = (number: number, first: number | { readonly at: number }, ...others: readonly number[]) =>
    list.step(number, first, others, { below: end });
  const open = (path: string, flags: number) => {
    const how = { result: opened.at, below: end };
    list.step(CALLS.openat, CURRENT_FOLDER, [list.text(path), flags | O_CLOEXEC], how);
  };
  const openOwn = (fd: number, as: number): void => {
    open(`/proc/${process.pid}/fd/${fd}`, constants.O_RDONLY);
    step(CALLS.dup2, opened, as);
  };
  const zero = list.text("0");
  for (const path of entries) {
    open(path, constants.O_WRONLY);
    step(CALLS.write, opened, zero, 1);
  }
  if (closesDevices && somebody === undefined) closeDevices(list, step);
  for (const pipe of pipes.values()) step(CALLS.dup2, itsEnd(pipe), pipe.fd);
  if (typeof stdin === "number") openOwn(stdin, 0);
  step(CALLS.dup2, options, LAUNCH_FDS.options);
  for (const [index, fd] of files.entries()) openOwn(fd, LAUNCH_FDS.filter + index);
  const last = Math.max(...[...pipes.values()].map(({ fd }) => fd), LAUNCH_FDS.filter + files.length - 1);
  step(CALLS.closeRange, last + 1, HIGHEST, 0);
  if (somebody !== undefined) {
    step(CALLS.setgroups, 0, 0);
    step(CALLS.setgid, somebody.gid);
    step(CALLS.setuid, somebody.uid);
  }
  for (const [resource, soft, hard] of limits) step(CALLS.setrlimit, RESOURCES[resource], list.words([soft, hard]));
  const words = argv.map((word) => list.text(word));
  step(CALLS.execve, words[0] ?? 0, list.words([...words, 0]), list.words([0]));
  list.place(end);
  step(CALLS.exitGroup, NOT_STARTED);
}
