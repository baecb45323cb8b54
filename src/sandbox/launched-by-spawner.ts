import { closeSync, constants, openSync, writeSync } from "node:fs";
import { setTimeout as soon } from "node:timers/promises";
import { getSystemErrorName } from "node:util";
import { LAUNCH_FDS } from "./bubblewrap-arguments.ts";
import { type Answer, CALLS, CallList, type Label, type Slot } from "./call-list.ts";
import { closeDevices } from "./closed-devices.ts";
import type { Launched, LaunchOrder } from "./launched.ts";
import type { PipeEnd } from "./pipe-end.ts";
import { RESOURCES } from "./rlimit.ts";
import type { Spawner } from "./spawner.ts";

const [O_CLOEXEC, MFD_CLOEXEC, CURRENT_FOLDER, FROM_HERE, WITHOUT_WAITING] = [0o2000000, 1, -100, 1, 1];
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

type PipeName = (typeof PIPES | readonly [typeof STDIN, typeof SAID, typeof WORDS])[number][0];
type Pipes = ReadonlyMap<PipeName, Pipe>;

/**
 * What the kernel refused is thrown, as Node would. `entries`: where it writes a zero to be bounded by them. `reserved`:
 * as many descriptors as it takes, which are given back when they are needed.
 */
export async function launchedBySpawner(
  spawner: Spawner,
  order: LaunchOrder,
  { entries, reserved }: { readonly entries: readonly string[]; readonly reserved: Disposable },
): Promise<Launched> {
  const list = new CallList();
  const pid = list.slot();
  const wanted = [
    ...PIPES,
    ...(order.stdin === "pipe" ? [STDIN] : []),
    ...(order.starter === "none" ? [] : [SAID]),
    ...(order.starter === "waits" ? [WORDS] : []),
  ];
  const pipes: Pipes = new Map(wanted.map(([name, fd, to]) => [name, { fd, to, slot: list.slot() }]));
  startSteps(list, pid, pipes, order, { entries, closesDevices: spawner.closesDevices });
  const asked = spawner.ask(list);
  pipeEnds ??= import("./pipe-end.ts");
  const [answer, ends] = await Promise.all([asked, pipeEnds]);
  const child = answer.halves(pid.index)[0];
  if (answer.errno !== 0) {
    if (child > 0) await ended(spawner, child, ourEnds(pipes, answer));
    throw Object.assign(new Error("not started"), { code: getSystemErrorName(-answer.errno) });
  }
  reserved[Symbol.dispose]();
  for (;;) {
    const opened = openedEnds(spawner, pipes, answer);
    if (opened !== null) return new SpawnerLaunch(spawner, child, opened, ourEnds(pipes, answer), ends);
    await soon(WANT_MS); // it waits, and could not even be told to go
  }
}

type PipeEnds = typeof import("./pipe-end.ts");

/** Loaded with the first program: most commands start none, and Node's module costs them some milliseconds. */
let pipeEnds: Promise<PipeEnds> | null = null;

/** The most that one takes: its pipes. */
export const DESCRIPTORS_NEEDED = PIPES.length + 3;
const WANT_MS = 5;

/** Null: there are no descriptors to be had. */
function openedEnds({ pid }: Spawner, pipes: Pipes, answer: Answer): Opened | null {
  const opened = new Map<PipeName, number | null>();
  try {
    for (const [name, { slot, to }] of pipes)
      opened.set(name, openedEnd(pid, answer.halves(slot.index)[to === "us" ? 0 : 1], to));
    return opened;
  } catch (error) {
    for (const fd of opened.values()) if (fd !== null) closeSync(fd);
    if (["EMFILE", "ENFILE"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error; // the spawner has gone, and with it what it had started
  }
}

type Opened = ReadonlyMap<PipeName, number | null>;

const ourEnds = (pipes: Pipes, answer: Answer): readonly number[] =>
  [...pipes.values()].map(({ to, slot }) => answer.halves(slot.index)[to === "us" ? 0 : 1]);

/** Of a pipe, the first half is where it is read. */
const itsEnd = ({ to, slot }: Pipe) => ({ at: slot.at + (to === "us" ? 4 : 0) });
const ourEnd = ({ to, slot }: Pipe) => ({ at: slot.at + (to === "us" ? 0 : 4) });

interface CopyOptions {
  readonly entries: readonly string[];
  readonly closesDevices: boolean;
}

function startSteps(list: CallList, pid: Slot, pipes: Pipes, order: LaunchOrder, how: CopyOptions): void {
  const options = list.slot();
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

/** Asks how it ended, and lets go of its pipes. */
async function ended(spawner: Spawner, child: number, held: readonly number[]): Promise<"by itself" | "by a signal"> {
  const list = new CallList();
  const [found, how] = [list.slot(), list.slot()];
  list.step(CALLS.wait4, child, [how.at, WITHOUT_WAITING, 0], { result: found.at });
  for (const fd of held) list.step(CALLS.close, fd);
  list.answer();
  const answer = await spawner.ask(list);
  // Its descriptors go a moment before it does.
  if (answer.halves(found.index)[0] !== 0)
    return (answer.halves(how.index)[0] & 0x7f) === 0 ? "by itself" : "by a signal";
  await soon(1);
  return ended(spawner, child, []);
}

class SpawnerLaunch implements Launched {
  readonly pid: number;
  readonly stdin: PipeEnd | null;
  readonly stdout: PipeEnd;
  readonly stderr: PipeEnd;
  readonly status: PipeEnd;
  readonly words: PipeEnd | null;
  readonly said: PipeEnd | null;
  readonly exited: Promise<void>;
  readonly gone: Promise<void>;
  readonly how: Promise<"by itself" | "by a signal">;
  #start: number | null;

  constructor(spawner: Spawner, pid: number, opened: Opened, held: readonly number[], { readEnd, writeEnd }: PipeEnds) {
    this.pid = pid;
    const end = (name: PipeName, make: (fd: number) => PipeEnd): PipeEnd | null => {
      const fd = opened.get(name) ?? null;
      return fd === null ? null : make(fd);
    };
    const read = (name: PipeName): PipeEnd => {
      const one = end(name, readEnd);
      if (one === null) throw new Error("a pipe that is always there");
      return one;
    };
    const [stdout, stderr, status] = [read("stdout"), read("stderr"), read("status")];
    this.stdout = stdout;
    this.stderr = stderr;
    this.status = status;
    this.#start = opened.get("start") ?? null;
    this.stdin = end("stdin", writeEnd);
    this.words = end("words", writeEnd);
    this.said = end("said", readEnd);
    // Whoever reads its input has to see the end of it, which is where nobody is left who could write.
    const isHeard = opened.has("stdin") || opened.has("words");
    if (isHeard) void letGo(spawner, held);
    const readers = [stdout, stderr, status, ...(this.said === null ? [] : [this.said])];
    this.exited = closed(status);
    void this.exited.then(() => {
      for (const one of readers) if (!isRead(one)) one.resume();
    });
    this.gone = Promise.all(readers.map(closed)).then(() => {
      this.#closeStart();
      this.stdin?.destroy();
      this.words?.destroy();
    });
    this.how = this.gone.then(() => ended(spawner, pid, isHeard ? [] : held)).catch(() => "by a signal");
  }

  readonly begin = (): void => {
    try {
      if (this.#start !== null) writeSync(this.#start, "s");
    } catch {
      // It has gone, and its end says why.
    }
    this.#closeStart();
  };

  readonly hold = (how: "ref" | "unref"): void => {
    for (const one of [this.stdin, this.stdout, this.stderr, this.status, this.words, this.said]) one?.[how]();
  };

  #closeStart(): void {
    if (this.#start !== null) closeSync(this.#start);
    this.#start = null;
  }
}

async function letGo(spawner: Spawner, held: readonly number[]): Promise<void> {
  const list = new CallList();
  for (const fd of held) list.step(CALLS.close, fd);
  list.answer();
  await spawner.ask(list).catch(() => {});
}

/** Never waits for whoever has the other end. Null: nobody has it any more, and there is nobody to write to. */
function openedEnd(owner: number, fd: number, to: "us" | "it"): number | null {
  const way = to === "us" ? constants.O_RDONLY : constants.O_WRONLY;
  try {
    return openSync(`/proc/${owner}/fd/${fd}`, way | constants.O_NONBLOCK);
  } catch (error) {
    if (to === "it" && (error as NodeJS.ErrnoException).code === "ENXIO") return null;
    throw error;
  }
}

const closed = (stream: PipeEnd): Promise<void> => new Promise((resolve) => stream.once("close", () => resolve()));

const isRead = (stream: PipeEnd): boolean => stream.listenerCount("data") + stream.listenerCount("readable") > 0;
