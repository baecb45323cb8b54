import { setImmediate as immediately, setTimeout as soon } from "node:timers/promises";
import type {
  Mount,
  OutputChunk,
  ProgramInput,
  SandboxCommand,
  SandboxEnd,
  SandboxedProgram,
  SandboxFault,
} from "../ports/sandbox.ts";
import { startFolder } from "./bubblewrap-arguments.ts";
import { FirstProcess } from "./first-process.ts";
import { LaunchStatus } from "./launch-status.ts";
import { listenToBoth, mergedOutput } from "./merged-output.ts";
import { mountedAsHeld, placeOf } from "./mounted-as-held.ts";
import { inputOf } from "./program-input.ts";
import type { ProgramUser } from "./program-user.ts";
import { CHANGED, faultFromLaunch, NOT_BEGUN, NOT_BOUNDED, NOT_STARTABLE, UNSEEN } from "./sandbox-faults.ts";
import type { Bubblewrap } from "./start-bubblewrap.ts";
import { isStartable } from "./startable-program.ts";
import { untilSetUp } from "./until-set-up.ts";

/** How often the end of a sandbox is checked on each turn of the event loop, before checks become rarer. */
const CHECKS_AT_ONCE = 20;
const CHECKS_MAX = 10_000;

/** One program in bubblewrap, from the start of bubblewrap to the end of the last process. */
export class Launch implements SandboxedProgram {
  readonly input: ProgramInput | undefined;
  readonly output: AsyncIterable<Uint8Array>;
  readonly chunks: AsyncIterable<OutputChunk>;
  readonly ended: Promise<SandboxEnd>;
  readonly #bubblewrap: Bubblewrap;
  readonly #command: SandboxCommand;
  readonly #user: ProgramUser["kind"];
  readonly #status = new LaunchStatus();
  readonly #errors = new ErrorText();
  /** The sandbox's first process. Null: there is none yet. */
  #first: FirstProcess | null = null;
  #isRead = false;
  #isBegun = false;
  #isOver = false;
  /** Why the sandbox was killed. Null: it was not. */
  #killed: SandboxEnd | null = null;

  constructor(bubblewrap: Bubblewrap, command: SandboxCommand, user: ProgramUser["kind"], signal: AbortSignal) {
    this.#bubblewrap = bubblewrap;
    this.#command = command;
    this.#user = user;
    this.input = inputOf(bubblewrap.stdin, command.stdin);
    this.output = this.#stdoutOnly();
    this.chunks = this.#stdoutAndStderr();
    bubblewrap.status.setEncoding("utf8").on("data", this.#readStatus);
    this.ended = bubblewrap.gone.then(async (how) => {
      this.#isOver = true;
      signal.removeEventListener("abort", this.stop);
      const end = this.#endFrom(how);
      const isEmpty = await this.#isEmpty();
      bubblewrap.bounds.release();
      if (isEmpty) bubblewrap.release();
      return isEmpty ? end : { kind: "lost" };
    });
    if (signal.aborted)
      this.stop(); // while bubblewrap was being started
    else signal.addEventListener("abort", this.stop, { once: true });
  }

  readonly stop = (): void => {
    const { termGraceMs = 0 } = this.#command;
    const isFirstStop = this.#killed === null;
    if (this.#status.exitCode() === null) this.#killed ??= { kind: "stopped" };
    if (!this.#isBegun || termGraceMs === 0) this.#kill({ kind: "stopped" });
    else if (isFirstStop) {
      this.#first?.signalGroup("SIGTERM");
      // The timer does not keep the gate alive: the sandbox dies with the gate anyway.
      setTimeout(() => this.#kill({ kind: "stopped" }), termGraceMs).unref();
    }
  };

  readonly listen = async (hear: (chunk: OutputChunk) => Promise<void> | void): Promise<void> => {
    this.#isRead = true;
    const held = new HeldBack();
    const { stdout, stderr } = this.#bubblewrap;
    await listenToBoth(stdout, stderr, (chunk) => {
      this.#errors.add(chunk);
      const passed = this.#isBegun ? held.pass(chunk) : null;
      return passed === null ? undefined : hear(passed);
    });
    const rest = await this.#restOf(held);
    if (rest !== null) await hear(rest);
  };

  readonly #readStatus = (text: string): void => {
    this.#status.add(text);
    const pid = this.#status.childPid();
    if (this.#first !== null || pid === null) return;
    this.#first = new FirstProcess(pid);
    void this.#whenSetUp(pid);
  };

  /** INVARIANT (judged = mounted): the program begins only after everything mounted was compared with what is held. */
  async #whenSetUp(pid: number): Promise<void> {
    const { bounds, readyFolder } = this.#bubblewrap;
    // Both take a while, and neither needs the other.
    const [found, isBounded] = await Promise.all([
      untilSetUp(
        () => mountedAsHeld(pid, readyFolder, this.#command.mounts),
        () => this.#isOver || this.#killed !== null,
      ),
      bounds.hold(pid),
    ]);
    if (this.#isOver) return;
    if (this.#killed !== null) return this.#kill(this.#killed);
    const refuse = (fault: SandboxFault): void => this.#kill({ kind: "refused", fault });
    // Without bubblewrap the program would not end with the gate, and nobody could tell how it ended.
    if (!new FirstProcess(this.#bubblewrap.pid).isThere()) return refuse(NOT_BEGUN);
    if (found !== "same") return refuse(found === "changed" ? CHANGED : UNSEEN);
    if (!isBounded) return refuse(NOT_BOUNDED);
    if (!isStartable(pid, this.#command.argv[0], startFolder(this.#command))) return refuse(NOT_STARTABLE);
    this.#isBegun = true;
    this.#bubblewrap.begin();
  }

  /**
   * Kills the sandbox's first process and with it all others; bubblewrap then ends by itself. Killing bubblewrap would
   * not do: until shortly before the program starts, its child does not die with it. Before there is a child there is
   * nothing to kill; `#whenSetUp` does it then.
   */
  #kill(why: SandboxEnd): void {
    if (this.#status.exitCode() === null) this.#killed ??= why;
    this.#first?.kill();
    if (this.#isRead) return;
    // Nobody reads the output, and its end is part of the end.
    this.#bubblewrap.stdout.resume();
    this.#bubblewrap.stderr.resume();
  }

  /**
   * bubblewrap ends as soon as it knows how the program ended. The kernel may still be ending the other processes.
   * INVARIANT (an end is an end): nothing of a call runs once its end is reported.
   */
  async #isEmpty(): Promise<boolean> {
    // The first process runs nothing of the call and ends by itself, but takes a while to take down the namespaces.
    if (this.#bubblewrap.bounds.isLast()) return true;
    for (let checks = 0; this.#first?.isThere() === true; checks++) {
      if (checks === CHECKS_MAX) return false;
      if (checks === 0) this.#first.kill(); // if bubblewrap was killed, it may not have noticed yet
      await (checks < CHECKS_AT_ONCE ? immediately() : soon(1));
    }
    return true;
  }

  async *#stdoutOnly(): AsyncGenerator<Uint8Array> {
    this.#isRead = true;
    const { stdout, stderr } = this.#bubblewrap;
    stderr.on("data", (bytes: Uint8Array) => this.#errors.add({ from: "stderr", bytes }));
    try {
      yield* stdout.iterator({ destroyOnReturn: false });
    } finally {
      stdout.resume(); // a reader that breaks off leaves the rest, and its end is part of the end
    }
  }

  async *#stdoutAndStderr(): AsyncGenerator<OutputChunk> {
    this.#isRead = true;
    const held = new HeldBack();
    for await (const chunk of mergedOutput(this.#bubblewrap.stdout, this.#bubblewrap.stderr)) {
      this.#errors.add(chunk);
      // Before the program begins, bubblewrap alone writes.
      const passed = this.#isBegun ? held.pass(chunk) : null;
      if (passed !== null) yield passed;
    }
    const rest = await this.#restOf(held);
    if (rest !== null) yield rest;
  }

  /** Which of both wrote it is known once bubblewrap has ended. */
  async #restOf(held: HeldBack): Promise<OutputChunk | null> {
    const rest = held.rest();
    if (rest === null) return null;
    await this.#bubblewrap.gone;
    return this.#status.exitCode() === null ? null : rest;
  }

  /** INVARIANT (proof of start): only bubblewrap's status pipe tells that the program ran. No program can write to it. */
  #endFrom(how: "by itself" | "by a signal"): SandboxEnd {
    if (this.#killed !== null) return this.#killed;
    const exitCode = this.#status.exitCode();
    const errorText = this.#errors.text();
    if (exitCode !== null) {
      const reached = exitCode === 0 ? [] : this.#bubblewrap.bounds.reached();
      return { kind: "exited", exitCode, errorText, ...(reached.length > 0 && { reached }) };
    }
    if (how === "by a signal") return { kind: "lost" };
    return { kind: "refused", fault: faultFromLaunch(errorText, this.#command.mounts.flatMap(judgedPath), this.#user) };
  }
}

/** A missing part of the installation is not a change of what was judged. */
const judgedPath = (mount: Mount): readonly string[] => (mount.kind === "installed" ? [] : [placeOf(mount)]);

const ERROR_BYTES_MAX = 16 * 1024;

/** The beginning of stderr. */
class ErrorText {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  add({ from, bytes }: OutputChunk): void {
    if (from !== "stderr" || this.#bytes >= ERROR_BYTES_MAX) return;
    this.#parts.push(Buffer.from(bytes.subarray(0, ERROR_BYTES_MAX - this.#bytes)));
    this.#bytes += bytes.length;
  }

  text(): string {
    return Buffer.concat(this.#parts).toString();
  }
}

/** Longer than a path may be. */
const LAUNCHER_BYTES_MAX = 8 * 1024;
const EXEC_FAILED = Buffer.from("bwrap: execvp ");

/**
 * If the kernel refuses the program, bubblewrap says so on the program's stderr. A stderr that begins with those words is
 * held back until the status tells who wrote it.
 */
class HeldBack {
  #held: Buffer | null = Buffer.alloc(0);

  /** What to pass on now. */
  pass(chunk: OutputChunk): OutputChunk | null {
    if (chunk.from !== "stderr" || this.#held === null) return chunk;
    const all = Buffer.concat([this.#held, chunk.bytes]);
    const isLauncher = all.length <= LAUNCHER_BYTES_MAX && startsAlike(all, EXEC_FAILED);
    this.#held = isLauncher ? all : null;
    return isLauncher ? null : { from: "stderr", bytes: all };
  }

  rest(): OutputChunk | null {
    return this.#held === null || this.#held.length === 0 ? null : { from: "stderr", bytes: this.#held };
  }
}

function startsAlike(one: Buffer, other: Buffer): boolean {
  const bytes = Math.min(one.length, other.length);
  return one.subarray(0, bytes).equals(other.subarray(0, bytes));
}
