import type { Duplex, Readable, Writable } from "node:stream";
import type { SandboxCommand } from "../ports/sandbox.ts";
import { LAUNCH_FDS, launchArguments, STARTER, sandboxOptions } from "./bubblewrap-arguments.ts";
import { FirstProcess } from "./first-process.ts";
import type { Machine } from "./launch-machine.ts";
import { LaunchStatus } from "./launch-status.ts";
import { hasPipes, isShortInput, type Launcher, startLauncher } from "./launcher.ts";
import { makesNothing } from "./makes-nothing.ts";
import { installedAsNow, mountedAsHeld } from "./mounted-as-held.ts";
import { untilSetUp } from "./until-set-up.ts";

/** Nobody needs one that has waited so long. */
const KEPT_MS = 60_000;
/** What did not fit so often will not fit the next time either: its mounts come and go with each call. */
const MISFITS_MAX = 3;
const WAITING_MAX = 2;
/** Not replaced before: programs that see different things in turn would only set up for one another. */
const UNTOUCHED_MS = 5000;
const KEYS_MAX = 16;

interface Use {
  started: number;
  running: number;
  /** How often in a row what waited did not fit. */
  misfits: number;
}

/** A sandbox that is set up, and whose program is still to be told. */
export interface LaunchAhead extends Launcher {
  readonly told: LaunchStatus;
  readonly first: FirstProcess;
  readonly words: Duplex;
}

/**
 * Sandboxes that are set up before anybody asks: whoever ran two programs that see the same is likely to run a third.
 * INVARIANT (judged = mounted): such a sandbox is used only for a call that would be told to bubblewrap in exactly the
 * same words, and only if all that is mounted is found to be what this call holds, just before its program begins.
 */
export class LaunchesAhead {
  readonly #machine: Machine;
  readonly #waiting = new Map<string, Waiting>();
  /** Those that somebody waits for, too. */
  readonly #all = new Set<Waiting>();
  /** What was told to bubblewrap of late. */
  readonly #uses = new Map<string, Use>();
  #isClosed = false;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Everything that is told to bubblewrap, but its program. Null: never ahead. */
  keyOf(command: SandboxCommand): string | null {
    if (this.#machine.files.starter === null || command.view !== "system") return null;
    // What is only this call's own: its way out, its secrets, and its input where that has to be there before it starts.
    const { stdin } = command;
    if (command.proxySocket !== undefined || command.hosts !== undefined) return null;
    if (stdin !== undefined && !isShortInput(stdin)) return null;
    // What is mounted was judged for the last call, and its names may lead elsewhere by now.
    if (!makesNothing(command)) return null;
    if (Object.values(command.env ?? {}).some((value) => typeof value !== "string")) return null;
    return JSON.stringify([
      launchArguments({ ...command, argv: [STARTER] }, this.#machine),
      sandboxOptions(command, this.#machine.system, "", "ahead"),
      command.limits,
      stdin === undefined ? "no input" : "input",
    ]);
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** One that fits, if there is one or one is just being set up. Whoever does not want it any more leaves it. */
  async take(key: string, command: SandboxCommand, isWanted: () => boolean): Promise<LaunchAhead | null> {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return null;
    this.#waiting.delete(key);
    waiting.hold("ref");
    const ready = await waiting.settled;
    if (ready === null || waiting.isUnwanted) return null;
    if (isWanted()) return this.#fitting(waiting, ready, command);
    if (this.#waiting.has(key) || this.#isClosed) void waiting.discard();
    else {
      this.#waiting.set(key, waiting);
      waiting.hold("unref");
    }
    return null;
  }

  #fitting(waiting: Waiting, ready: LaunchAhead, { mounts }: SandboxCommand): LaunchAhead | null {
    const { child, first, readyFolder } = ready;
    const fits =
      first.isThere() &&
      new FirstProcess(child.pid ?? 0).isThere() &&
      mountedAsHeld(first.pid, readyFolder, mounts) === "same" &&
      installedAsNow(first.pid, this.#machine.system.bound, mounts);
    const use = this.#uses.get(waiting.key);
    if (use !== undefined) use.misfits = fits ? 0 : use.misfits + 1;
    if (!fits) {
      void waiting.discard();
      return null;
    }
    this.#all.delete(waiting);
    waiting.adopted();
    return ready;
  }

  /** A program is started with it; to be told when it has ended. */
  begun(key: string): () => void {
    const use = this.#uses.get(key) ?? { started: 0, running: 0, misfits: 0 };
    this.#uses.delete(key);
    this.#uses.set(key, use);
    const [oldestKey = ""] = this.#uses.keys();
    if (this.#uses.size > KEYS_MAX) this.#uses.delete(oldestKey);
    use.started++;
    use.running++;
    return () => use.running--;
  }

  /** The next program may be like the last two. Where many run at once there is no time to spare. */
  another(key: string, command: SandboxCommand): void {
    const use = this.#uses.get(key);
    if (use === undefined || use.started < 2 || use.running > 1 || use.misfits >= MISFITS_MAX) return;
    if (this.#isClosed || this.#waiting.has(key)) return;
    if (this.#waiting.size === WAITING_MAX && !this.#makeRoom()) return;
    const waiting = Waiting.begin(key, command, this.#machine, {
      unwanted: (one) => {
        if (this.#waiting.get(key) === one) this.#waiting.delete(key);
      },
      gone: (one) => this.#all.delete(one),
    });
    if (waiting === null) return;
    this.#waiting.set(key, waiting);
    this.#all.add(waiting);
    // What was there for one call only can't be mounted behind it.
    void waiting.settled.then((ready) => {
      if (ready === null) use.misfits++;
    });
  }

  #makeRoom(): boolean {
    const [oldest] = this.#waiting.values();
    if (oldest === undefined || performance.now() - oldest.sinceMs < UNTOUCHED_MS) return false;
    this.#waiting.delete(oldest.key);
    void oldest.discard();
    return true;
  }

  /** None is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await Promise.all([...this.#all].map((waiting) => waiting.discard()));
  }
}

/** `unwanted` is told first, and at once: nobody may take it any more. */
type Followers = Readonly<Record<"unwanted" | "gone", (waiting: Waiting) => void>>;
type Pipes = readonly [null, Readable, Readable, Readable, Writable];

/** One of them, from its start to when somebody takes it or nobody wants it. */
class Waiting {
  readonly key: string;
  readonly sinceMs = performance.now();
  /** Null: it came to nothing. */
  readonly settled: Promise<LaunchAhead | null>;
  readonly #launcher: Launcher;
  readonly #ended: Promise<void>;
  readonly #told = new LaunchStatus();
  readonly #timer: NodeJS.Timeout;
  #first: FirstProcess | null = null;
  #isOver = false;
  readonly #followers: Followers;
  #isUnwanted = false;
  #isAdopted = false;

  /** Null: one can't be had now. Whoever needs one learns why. */
  static begin(key: string, command: SandboxCommand, machine: Machine, followers: Followers): Waiting | null {
    try {
      const launcher = startLauncher(command, machine, "ahead");
      launcher.child.on("error", () => {});
      return hasPipes(launcher.child) ? new Waiting(key, launcher, followers) : null;
    } catch {
      return null;
    }
  }

  private constructor(key: string, launcher: Launcher, followers: Followers) {
    this.key = key;
    this.#followers = followers;
    this.#launcher = launcher;
    const { child, bounds } = launcher;
    this.hold("unref");
    this.#timer = setTimeout(() => void this.discard(), KEPT_MS).unref();
    const [, , , status, start] = child.stdio as unknown as Pipes;
    start.on("error", () => {});
    this.#words.on("error", () => {});
    child.stdin?.on("error", () => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    child.once("exit", () => {
      if (!this.#isAdopted) void this.discard(); // its pipes are read by nobody yet, and only their end is its end
    });
    child.once("close", () => {
      this.#isOver = true;
      clearTimeout(this.#timer);
      if (this.#isAdopted) return;
      bounds.release();
      followers.unwanted(this);
      followers.gone(this);
      resolve();
    });
    this.settled = new Promise((settle) => {
      child.once("close", () => settle(null));
      status.setEncoding("utf8").on("data", (chunk: string) => {
        this.#told.add(chunk);
        const pid = this.#told.childPid();
        if (this.#first !== null || pid === null) return;
        this.#first = new FirstProcess(pid);
        void this.#whenSetUp(this.#first, start).then((ready) =>
          ready === null ? void this.discard() : settle(ready),
        );
      });
    });
  }

  /** It is being ended, and no call may become its. */
  get isUnwanted(): boolean {
    return this.#isUnwanted;
  }

  get #words(): Duplex {
    return (this.#launcher.child.stdio as readonly unknown[])[LAUNCH_FDS.words] as Duplex;
  }

  async #whenSetUp(first: FirstProcess, start: Writable): Promise<LaunchAhead | null> {
    const { bounds, readyFolder } = this.#launcher;
    const isUseless = () => this.#isOver || this.#isUnwanted;
    const found = await untilSetUp(() => mountedAsHeld(first.pid, readyFolder, []), isUseless);
    if (found !== "same" || !(await bounds.hold(first.pid)) || isUseless()) return null;
    start.end("start");
    return { ...this.#launcher, told: this.#told, first, words: this.#words };
  }

  /** From now on it is a call's. */
  adopted(): void {
    this.#isAdopted = true;
    clearTimeout(this.#timer);
  }

  /** Comes back once it has gone. */
  discard(): Promise<void> {
    const { stdout, stderr } = this.#launcher.child;
    this.hold("ref");
    this.#isUnwanted = true;
    this.#followers.unwanted(this);
    // Before it is set up it would not die of that, and is ended when it is.
    this.#first?.kill();
    stdout?.resume();
    stderr?.resume();
    this.#words.resume();
    return this.#ended;
  }

  /** What only waits keeps no process from ending; what somebody waits for does. */
  hold(how: "ref" | "unref"): void {
    const { child } = this.#launcher;
    child[how]();
    for (const pipe of child.stdio as readonly unknown[]) (pipe as { ref?(): void; unref?(): void } | null)?.[how]?.();
  }
}
