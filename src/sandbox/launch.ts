import type { Readable } from "node:stream";
import { setImmediate as immediately, setTimeout as soon } from "node:timers/promises";
import type { LimitReached, Mount, OutputChunk, ProgramInput, SandboxEnd, SandboxedProgram } from "../ports/sandbox.ts";
import { FirstProcess } from "./first-process.ts";
import { LaunchStatus } from "./launch-status.ts";
import type { Launched } from "./launched.ts";
import { mergedOutput, toldOutput } from "./merged-output.ts";
import { mountedAsHeld, placeOf } from "./mounted-as-held.ts";
import {
  CHANGED,
  faultFromLaunch,
  faultFromStarter,
  type LaunchedAs,
  NOT_BEGUN,
  NOT_BOUNDED,
  UNSEEN,
} from "./sandbox-faults.ts";
import { untilSetUp } from "./until-set-up.ts";

/** How often is looked whether it has gone, at first on each turn of the event loop. */
const LOOKS_AT_ONCE = 20;
const LOOKS_MAX = 10_000;

/** What bounds a program beside the limits that it inherits. */
export interface Bounds {
  /** Resolves once they hold for the process, which waits so long. False = they could not be set. */
  readonly hold: (pid: number) => Promise<boolean>;
  readonly reached: () => readonly LimitReached[];
  /** Whether at most one of its processes is left. False where nobody counts. */
  readonly isLast: () => boolean;
  readonly release: () => void;
}

/** Of a sandbox that was set up before, and whose program has not been told yet. */
export interface Begins {
  readonly told: LaunchStatus;
  readonly first: FirstProcess;
  readonly words: Uint8Array;
}

export interface LaunchParts {
  readonly child: Launched;
  readonly mounts: readonly Mount[];
  readonly readyFolder: string;
  readonly bounds: Bounds;
  /** Left out = it has only just been started, and is told to begin once it is set up. */
  readonly begins?: Begins;
  readonly launchedAs: LaunchedAs;
  readonly termGraceMs: number;
  readonly input: ProgramInput | undefined;
}

/** One bubblewrap process, from its start to its end. */
export class Launch implements SandboxedProgram {
  readonly input: ProgramInput | undefined;
  readonly output: AsyncIterable<Uint8Array>;
  readonly chunks: AsyncIterable<OutputChunk>;
  readonly ended: Promise<SandboxEnd>;
  readonly #parts: LaunchParts;
  readonly #told: LaunchStatus;
  readonly #stdout: Readable;
  readonly #stderr: Readable;
  readonly #errors = new Beginning();
  #first: FirstProcess | null = null;
  #isRead = false;
  #isStarted = false;
  /** Why it was killed before it could end by itself. */
  #killed: SandboxEnd | null = null;
  #isOver = false;
  /** What the starter said: that it becomes the program, and by the operating system's number why it could not. */
  readonly #starterSaid: number[] = [];

  constructor(parts: LaunchParts, signal: AbortSignal) {
    this.#parts = parts;
    const { child, bounds, begins } = parts;
    this.#told = begins?.told ?? new LaunchStatus();
    this.input = parts.input;
    this.#stdout = child.stdout;
    this.#stderr = child.stderr;
    this.output = this.#outputAlone();
    this.chunks = this.#outputOfBoth();
    child.said?.on("data", (bytes: Uint8Array) => this.#starterSaid.push(...bytes));
    if (begins === undefined) child.status.setEncoding("utf8").on("data", this.#listen);
    else this.#beginNow(begins);
    this.ended = child.gone.then(async () => {
      this.#isOver = true;
      signal.removeEventListener("abort", this.stop);
      const end = await this.#endFrom(child.how);
      const isEmpty = await this.#isEmpty();
      bounds.release();
      return isEmpty ? end : { kind: "lost" };
    });
    if (signal.aborted)
      this.stop(); // while it was being started
    else signal.addEventListener("abort", this.stop, { once: true });
  }

  readonly stop = (): void => {
    const { termGraceMs } = this.#parts;
    const isNew = this.#killed === null;
    if (this.#told.exitCode() === null) this.#killed ??= { kind: "stopped" };
    if (!this.#isStarted || termGraceMs === 0) this.#kill({ kind: "stopped" });
    else if (isNew) {
      this.#first?.signalGroup("SIGTERM");
      // Where the timer is the last thing that keeps this process, the program goes with it.
      setTimeout(() => this.#kill({ kind: "stopped" }), termGraceMs).unref();
    }
  };

  readonly listen = (hear: (chunk: OutputChunk) => Promise<void> | void): Promise<void> => {
    this.#isRead = true;
    return toldOutput(this.#stdout, this.#stderr, (chunk) => {
      if (chunk.from === "stderr") this.#errors.add(chunk.bytes);
      return this.#isStarted ? hear(chunk) : undefined;
    });
  };

  readonly #listen = (chunk: string): void => {
    this.#told.add(chunk);
    const childPid = this.#told.childPid();
    if (this.#first !== null || childPid === null) return;
    this.#first = new FirstProcess(childPid);
    void this.#whenSetUp(childPid);
  };

  /** INVARIANT (judged = mounted): the program starts only once everything mounted was found to be what is held. */
  async #whenSetUp(pid: number): Promise<void> {
    const { readyFolder, mounts } = this.#parts;
    const found = await untilSetUp(
      () => mountedAsHeld(pid, readyFolder, mounts),
      () => this.#isOver || this.#killed !== null,
    );
    if (this.#isOver) return;
    if (this.#killed !== null) this.#kill(this.#killed);
    else if (found === "same") await this.#begin(pid);
    else this.#kill({ kind: "refused", fault: found === "changed" ? CHANGED : UNSEEN });
  }

  async #begin(pid: number): Promise<void> {
    const isBounded = await this.#parts.bounds.hold(pid);
    if (this.#killed !== null) return this.#kill(this.#killed);
    if (!isBounded) return this.#kill({ kind: "refused", fault: NOT_BOUNDED });
    // Without it the program would not end with this process, and nobody would tell how it ended.
    if (!new FirstProcess(this.#parts.child.pid).isThere()) return this.#kill({ kind: "refused", fault: NOT_BEGUN });
    this.#isStarted = true;
    this.#parts.child.begin();
  }

  /** It is set up, checked and bounded. */
  #beginNow({ first, words }: Begins): void {
    const { child } = this.#parts;
    this.#first = first;
    this.#isStarted = true;
    child.words?.end(words);
  }

  /**
   * Kills the sandbox's first process, and with it all others; bubblewrap then ends by itself. To kill bubblewrap would
   * not do: until shortly before the program starts, its child does not know yet that it has to die with it, and would
   * go on, or wait for ever. Before there is a child there is nothing to kill, and it is done when there is.
   */
  #kill(why: SandboxEnd): void {
    if (this.#told.exitCode() === null) this.#killed ??= why;
    this.#first?.kill();
    this.#letGo();
  }

  /**
   * bubblewrap goes as soon as it knows how the program ended, and the kernel may still be ending what that one left
   * running. INVARIANT (an end is an end): nothing of a call runs on once its end is told.
   */
  async #isEmpty(): Promise<boolean> {
    // The first process is no program of the call's, and ends by itself. It takes a while to take the sandbox down.
    if (this.#parts.bounds.isLast()) return true;
    for (let looks = 0; this.#first?.isThere() === true; looks++) {
      if (looks === LOOKS_MAX) return false;
      if (looks === 0) this.#first.kill(); // where bubblewrap itself was killed, it may not know yet
      await (looks < LOOKS_AT_ONCE ? immediately() : soon(1));
    }
    return true;
  }

  /** Nobody reads, and only the end of its output is its end. */
  #letGo(): void {
    if (this.#isRead) return;
    this.#stdout.resume();
    this.#stderr.resume();
  }

  async *#outputAlone(): AsyncGenerator<Uint8Array> {
    this.#isRead = true;
    this.#stderr.on("data", (bytes: Uint8Array) => this.#errors.add(bytes));
    try {
      yield* this.#stdout.iterator({ destroyOnReturn: false });
    } finally {
      this.#stdout.resume(); // whoever has read enough leaves the rest: its end is the proof that the program is gone
    }
  }

  async *#outputOfBoth(): AsyncGenerator<OutputChunk> {
    this.#isRead = true;
    for await (const chunk of mergedOutput(this.#stdout, this.#stderr)) {
      if (chunk.from === "stderr") this.#errors.add(chunk.bytes);
      // What bubblewrap says of a set-up that failed is not the program's.
      if (this.#isStarted) yield chunk;
    }
  }

  async #endFrom(how: Launched["how"]): Promise<SandboxEnd> {
    const exitCode = this.#told.exitCode();
    const errorText = this.#errors.text();
    const { launchedAs } = this.#parts;
    if (this.#killed !== null) return this.#killed;
    // INVARIANT (proof of start): that the starter ended is no end of a program that it never became.
    const isSetUp = this.#parts.begins !== undefined || exitCode !== null;
    if (this.#parts.child.said !== null && isSetUp && this.#starterSaid.length !== 1)
      return { kind: "refused", fault: faultFromStarter(this.#starterSaid[1] ?? 0, launchedAs) };
    if (exitCode !== null) {
      const reached = exitCode === 0 ? [] : this.#parts.bounds.reached();
      return { kind: "exited", exitCode, errorText, ...(reached.length > 0 && { reached }) };
    }
    if ((await how) === "by a signal") return { kind: "lost" };
    return { kind: "refused", fault: faultFromLaunch(errorText, this.#parts.mounts.flatMap(judgedPath), launchedAs) };
  }
}

/** A part of the installation that is missing is no change of what was judged. */
const judgedPath = (mount: Mount): readonly string[] => (mount.kind === "installed" ? [] : [placeOf(mount)]);

const ERROR_BYTES_MAX = 16 * 1024;

/** The beginning of what was written to stderr. */
class Beginning {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  add(chunk: Uint8Array): void {
    if (this.#bytes >= ERROR_BYTES_MAX) return;
    this.#chunks.push(Buffer.from(chunk.subarray(0, ERROR_BYTES_MAX - this.#bytes)));
    this.#bytes += chunk.length;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
