import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Duplex } from "node:stream";
import { ANSWER_WORDS, Answer, CALLS, CallList } from "./call-list.ts";
import { childProcess } from "./child-process.ts";
import { triedDevices } from "./closed-devices.ts";
import { descriptorsMax, spareDescriptors } from "./spare-descriptors.ts";
import { CHANNEL, FIRST_FREE, spawnerFor } from "./spawner-program.ts";
import { startableFile } from "./startable-file.ts";

/** Whoever asked will not hear: it has gone, and with it everything that it had started. */
class SpawnerGone extends Error {
  readonly code = "EPIPE";
}

type Waiter = PromiseWithResolvers<Answer>;

const ANSWER_BYTES = 8 * ANSWER_WORDS;
const HIGHEST = 2 ** 32 - 1;
/** An answer takes less than a millisecond of its time. */
const SILENT_MS = 1000;
const [CURRENT_FOLDER, O_CLOEXEC] = [-100, 0o2000000];

/**
 * The small process that starts all others. What it starts dies when it does, and it does when this process does, since
 * then nobody is left at the other end of its channel.
 */
export class Spawner {
  readonly pid: number;
  readonly #channel: Duplex & { ref?(): void; unref?(): void };
  readonly #waiting = new Map<number, Waiter>();
  #lists = 0;
  #rest: Uint8Array = new Uint8Array();
  #isGone = false;
  #wakes: NodeJS.Timeout | undefined;
  #closesDevices = false;

  private constructor(pid: number, channel: Duplex) {
    this.pid = pid;
    this.#channel = channel;
    this.#channel.unref?.();
    channel.on("data", this.#hear).on("error", () => {});
    channel.once("close", () => {
      this.#isGone = true;
      clearInterval(this.#wakes);
      for (const { reject } of this.#waiting.values()) reject(new SpawnerGone());
      this.#waiting.clear();
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether programs of root are to have devices that they can't change, which others can't anyway. */
  get closesDevices(): boolean {
    return this.#closesDevices;
  }

  /** Null: it can't be had here at all. Throws what the operating system says where it can't be had now. */
  static async begin(path: string): Promise<Spawner | null> {
    const nothing = openSync("/dev/null", "r+");
    const stdio: ("pipe" | number)[] = Array.from({ length: FIRST_FREE }, () => nothing);
    stdio[CHANNEL] = "pipe";
    const options = { argv0: "toolgate-spawner", env: {}, cwd: "/", stdio } as const;
    let child: ChildProcess;
    try {
      spareDescriptors(nothing, descriptorsMax());
      child = childProcess().spawn(path, [], options);
    } finally {
      closeSync(nothing);
    }
    await begun(child);
    child.unref();
    const spawner = new Spawner(child.pid ?? 0, (child.stdio as readonly unknown[])[CHANNEL] as Duplex);
    const hello = new CallList();
    const opened = hello.slot();
    // What a terminal tells this process is not meant for programs. A session of its own would have its own share of time.
    hello.step(CALLS.setpgid, 0, [0]);
    // What this process was given by whoever started it is for no program.
    hello.step(CALLS.closeRange, FIRST_FREE, [HIGHEST, 0]);
    // Not where this process has more rights than others of its user, who may not look into it then.
    const own = path.replace("self", String(process.pid));
    hello.step(CALLS.openat, CURRENT_FOLDER, [hello.text(own), O_CLOEXEC], { result: opened.at });
    hello.step(CALLS.close, opened);
    hello.answer();
    if ((await spawner.ask(hello)).errno === 0 && canReach(spawner.pid)) {
      if (process.getuid?.() === 0) spawner.#closesDevices = (await spawner.ask(triedDevices())).errno === 0;
      return spawner;
    }
    spawner.#channel.destroy();
    return null;
  }

  /** This process does not end before the answer is there. */
  ask(list: CallList): Promise<Answer> {
    const waiter = Promise.withResolvers<Answer>();
    const id = this.#lists++ % 2 ** 31;
    if (this.#isGone) waiter.reject(new SpawnerGone());
    else {
      this.#channel.write(list.message(id));
      this.#waiting.set(id, waiter);
      if (this.#waiting.size === 1) {
        this.#channel.ref?.();
        this.#wakes = setInterval(this.#wake, SILENT_MS).unref();
      }
    }
    return waiter.promise;
  }

  /** Whoever stops it stops every call here, and none of them could end; what is not stopped does not heed this. */
  readonly #wake = (): void => {
    try {
      process.kill(this.pid, "SIGCONT");
    } catch {
      // It has gone, and its channel says so.
    }
  };

  readonly #hear = (bytes: Uint8Array): void => {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    for (; at + ANSWER_BYTES <= all.length; at += ANSWER_BYTES) {
      const answer = new Answer(all.subarray(at, at + ANSWER_BYTES));
      const waiter = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) {
        this.#channel.unref?.();
        clearInterval(this.#wakes);
      }
      waiter?.resolve(answer);
    }
    this.#rest = all.subarray(at);
  };
}

/** Its pipes are opened by that way. */
function canReach(pid: number): boolean {
  try {
    closeSync(openSync(`/proc/${pid}/fd/0`, "r"));
    return true;
  } catch {
    return false;
  }
}

const begun = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", resolve);
  });

let path: string | null | undefined;
let resident: Promise<Spawner | null> | null = null;

/**
 * The one of this process, which begins with the first program that is started. Null: programs are started without.
 * Throws what the operating system says where it can't be had now.
 */
export async function residentSpawner(): Promise<Spawner | null> {
  if (path === undefined) {
    const program = spawnerFor(process.arch);
    path = program === null ? null : startableFile(program);
  }
  if (path === null) return null;
  resident ??= Spawner.begin(path);
  const begins = resident;
  try {
    const known = await begins;
    if (known?.isGone !== true) return known;
  } catch (error) {
    forget(begins);
    throw error;
  }
  forget(begins);
  return residentSpawner();
}

function forget(one: Promise<Spawner | null>): void {
  if (resident === one) resident = null;
}
