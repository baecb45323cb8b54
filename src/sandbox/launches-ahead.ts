import type { SandboxCommand } from "../ports/sandbox.ts";
import { launchArguments, STARTER, sandboxOptions, startFolder } from "./bubblewrap-arguments.ts";
import { FirstProcess } from "./first-process.ts";
import type { Machine } from "./launch-machine.ts";
import { LaunchStatus } from "./launch-status.ts";
import { isShortInput, type Launcher, startLauncher } from "./launcher.ts";
import { makesNothing } from "./makes-nothing.ts";
import { installedAsNow, mountedAsHeld, standsIn } from "./mounted-as-held.ts";
import type { Turns } from "./turns.ts";
import { untilInFolder } from "./until-in-folder.ts";
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

  readonly #turns: Turns;

  constructor(machine: Machine, turns: Turns) {
    this.#machine = machine;
    this.#turns = turns;
  }

  /** Everything that is told to bubblewrap, but its program. Null: never ahead. */
  keyOf(command: SandboxCommand): string | null {
    const { isAhead, files } = this.#machine;
    if (!isAhead || files.starter === null || command.view !== "system") return null;
    // What is only this call's own: its way out, its secrets, and its input where that has to be there before it starts.
    const { stdin } = command;
    if (command.proxySocket !== undefined || command.callSocket !== undefined || command.hosts !== undefined)
      return null;
    if (stdin !== undefined && !isShortInput(stdin)) return null;
    // What is mounted was judged for the last call, and its names may lead elsewhere by now.
    if (!makesNothing(command)) return null;
    if (Object.values(command.env ?? {}).some((value) => typeof value !== "string")) return null;
    return JSON.stringify([
      launchArguments({ ...command, argv: [STARTER] }, this.#machine),
      sandboxOptions(command, this.#machine.system, "", "by the starter"),
      command.limits,
      stdin === undefined ? "no input" : "input",
    ]);
  }

  isWaiting(key: string): boolean {
    return this.#waiting.has(key);
  }

  /**
   * Begins one that fits, if there is one or one is just being set up. Whoever does not want it any more leaves it.
   * Nothing comes between the last look at it and its begin.
   */
  async take<Begun>(
    key: string,
    command: SandboxCommand,
    isWanted: () => boolean,
    begin: (ready: LaunchAhead) => Begun,
  ): Promise<Begun | null> {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return null;
    this.#waiting.delete(key);
    waiting.hold("ref");
    const ready = await waiting.settled;
    if (ready === null || waiting.isUnwanted) return null;
    if (isWanted()) return this.#fits(waiting, ready, command) ? begin(ready) : null;
    if (this.#waiting.has(key) || this.#isClosed) void waiting.discard();
    else {
      this.#waiting.set(key, waiting);
      waiting.hold("unref");
    }
    return null;
  }

  #fits(waiting: Waiting, ready: LaunchAhead, command: SandboxCommand): boolean {
    const { mounts } = command;
    const { child, first, readyFolder } = ready;
    const fits =
      first.isThere() &&
      new FirstProcess(child.pid).isThere() &&
      mountedAsHeld(first.pid, readyFolder, mounts) === "same" &&
      installedAsNow(first.pid, this.#machine.system.bound, mounts) &&
      standsIn(first.pid, startFolder(command));
    const use = this.#uses.get(waiting.key);
    if (use !== undefined) use.misfits = fits ? 0 : use.misfits + 1;
    if (fits) {
      this.#all.delete(waiting);
      waiting.adopted();
    } else void waiting.discard();
    return fits;
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
    const [machine, turns] = [this.#machine, this.#turns];
    const launch = (isWanted: () => boolean) => startLauncher(command, machine, { when: "ahead", turns, isWanted });
    const waiting = new Waiting({ key, folder: startFolder(command) }, launch, {
      unwanted: (one) => {
        if (this.#waiting.get(key) === one) this.#waiting.delete(key);
      },
      gone: (one) => this.#all.delete(one),
    });
    this.#waiting.set(key, waiting);
    this.#all.add(waiting);
    // What was there for one call only can't be mounted behind it.
    void waiting.settled.then((ready) => {
      if (ready === null && waiting.isLaunched) use.misfits++;
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
type Launch = (isWanted: () => boolean) => Promise<Launcher | null>;

/** One of them, from its start to when somebody takes it or nobody wants it. */
class Waiting {
  readonly key: string;
  readonly sinceMs = performance.now();
  /** Null: it came to nothing. */
  readonly settled: Promise<LaunchAhead | null>;
  readonly #folder: string;
  readonly #ended: Promise<void>;
  readonly #told = new LaunchStatus();
  readonly #timer: NodeJS.Timeout;
  readonly #followers: Followers;
  #launcher: Launcher | null = null;
  #first: FirstProcess | null = null;
  #held: "ref" | "unref" = "unref";
  #isOver = false;
  #isUnwanted = false;
  #isAdopted = false;

  constructor(told: { readonly key: string; readonly folder: string }, launch: Launch, followers: Followers) {
    this.key = told.key;
    this.#folder = told.folder;
    this.#followers = followers;
    this.#timer = setTimeout(() => void this.discard(), KEPT_MS).unref();
    // Where it can't be had now, whoever needs one learns why.
    const launching = launch(() => !this.#isUnwanted).catch(() => null);
    this.settled = launching.then((launcher) => (launcher === null ? null : this.#setUp(launcher)));
    this.#ended = launching.then(async (launcher) => {
      await launcher?.child.gone;
      this.#isOver = true;
      clearTimeout(this.#timer);
      if (this.#isAdopted) return;
      launcher?.bounds.release();
      followers.unwanted(this);
      followers.gone(this);
    });
  }

  /** There is a process of it, or there was. */
  get isLaunched(): boolean {
    return this.#launcher !== null;
  }

  /** It is being ended, and no call may become its. */
  get isUnwanted(): boolean {
    return this.#isUnwanted;
  }

  #setUp(launcher: Launcher): Promise<LaunchAhead | null> {
    const { child } = launcher;
    this.#launcher = launcher;
    child.hold(this.#held);
    child.stdin?.on("error", () => {});
    void child.exited.then(() => {
      if (!this.#isAdopted) void this.discard(); // its pipes are read by nobody yet, and only their end is its end
    });
    if (this.#isUnwanted) void this.discard(); // told while it was being started
    return new Promise((settle) => {
      void child.gone.then(() => settle(null));
      child.status.setEncoding("utf8").on("data", (chunk: string) => {
        this.#told.add(chunk);
        const pid = this.#told.childPid();
        if (this.#first !== null || pid === null) return;
        this.#first = new FirstProcess(pid);
        void this.#whenSetUp(launcher, this.#first).then((ready) =>
          ready === null ? void this.discard() : settle(ready),
        );
      });
    });
  }

  async #whenSetUp(launcher: Launcher, first: FirstProcess): Promise<LaunchAhead | null> {
    const { bounds, child, readyFolder } = launcher;
    const isUseless = () => this.#isOver || this.#isUnwanted;
    const found = await untilSetUp(() => mountedAsHeld(first.pid, readyFolder, []), isUseless);
    if (found !== "same" || !(await bounds.hold(first.pid)) || isUseless()) return null;
    child.begin();
    if (!(await untilInFolder(first.pid, this.#folder, isUseless))) return null;
    return { ...launcher, told: this.#told, first };
  }

  /** From now on it is a call's. */
  adopted(): void {
    this.#isAdopted = true;
    clearTimeout(this.#timer);
  }

  /** Comes back once it has gone. */
  discard(): Promise<void> {
    this.hold("ref");
    this.#isUnwanted = true;
    this.#followers.unwanted(this);
    // Before it is set up it would not die of that, and is ended when it is.
    this.#first?.kill();
    const { stdout, stderr, said } = this.#launcher?.child ?? {};
    for (const pipe of [stdout, stderr, said]) pipe?.resume();
    return this.#ended;
  }

  /** What only waits keeps no process from ending; what somebody waits for does. */
  hold(how: "ref" | "unref"): void {
    this.#held = how;
    this.#launcher?.child.hold(how);
  }
}
