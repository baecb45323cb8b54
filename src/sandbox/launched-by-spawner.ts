import { closeSync, constants, openSync, writeSync } from "node:fs";
import { setTimeout as soon } from "node:timers/promises";
import { getSystemErrorName } from "node:util";
import { type Answer, CALLS, CallList } from "./call-list.ts";
import type { Launched, LaunchOrder } from "./launched.ts";
import type { PipeEnd } from "./pipe-end.ts";
import type { Spawner } from "./spawner.ts";
import { type PipeName, type Pipes, startList } from "./start-list.ts";

/** `man 2 wait`. */
const WITHOUT_WAITING = 1;

/**
 * What the kernel refused is thrown, as Node would. `entries`: where it writes a zero to be bounded by them. `reserved`:
 * as many descriptors as it takes, which are given back when they are needed.
 */
export async function launchedBySpawner(
  spawner: Spawner,
  order: LaunchOrder,
  { entries, reserved }: { readonly entries: readonly string[]; readonly reserved: Disposable },
): Promise<Launched> {
  const { list, pid, pipes } = startList(order, { entries, closesDevices: spawner.closesDevices });
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
