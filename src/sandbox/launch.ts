import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { HeldPath } from "../ports/files.ts";
import type { SandboxEnd, SandboxedProgram } from "../ports/sandbox.ts";
import { LaunchStatus } from "./launch-status.ts";
import { mountedAsHeld } from "./mounted-as-held.ts";
import { CHANGED, faultFromLaunch, faultFromSpawn, UNSEEN } from "./sandbox-faults.ts";

/** Set-up takes some milliseconds. After so many looks, one on each turn of the event loop, they become rarer. */
const LOOKS_AT_ONCE = 20;
const LOOKS_MAX = 10_000;

export interface LaunchParts {
  readonly child: ChildProcess;
  readonly held: readonly HeldPath[];
  readonly readyFolder: string;
}

type Pipes = readonly [null, Readable, Readable, Readable, Writable];

/** One bubblewrap process, from its start to its end. */
export class Launch implements SandboxedProgram {
  readonly output: AsyncIterable<Uint8Array>;
  readonly ended: Promise<SandboxEnd>;
  readonly #parts: LaunchParts;
  readonly #told = new LaunchStatus();
  readonly #stdout: Readable;
  readonly #start: Writable;
  #looks = 0;
  /** Why it was killed before it could end by itself. */
  #killed: SandboxEnd | null = null;
  #isOver = false;

  constructor(parts: LaunchParts, signal: AbortSignal) {
    this.#parts = parts;
    const { child } = parts;
    const [, stdout, stderr, status, start] = child.stdio as unknown as Pipes;
    this.#stdout = stdout;
    this.#start = start.on("error", () => {}); // bubblewrap has gone, and its end says why
    this.output = outputOf(stdout);
    const errorText = beginningOf(stderr);
    status.setEncoding("utf8").on("data", this.#listen);
    signal.addEventListener("abort", this.stop, { once: true });
    this.ended = new Promise((resolve) => {
      let failure: unknown = null;
      child.once("error", (error) => {
        failure = error;
      });
      child.once("close", (_, killedBy) => {
        this.#isOver = true;
        signal.removeEventListener("abort", this.stop);
        resolve(this.#endFrom(failure, killedBy, errorText()));
      });
    });
  }

  readonly stop = (): void => this.#kill({ kind: "stopped" });

  readonly #listen = (chunk: string): void => {
    const isNew = this.#told.childPid() === null;
    this.#told.add(chunk);
    if (isNew && this.#told.childPid() !== null) this.#look();
  };

  /** INVARIANT (judged = mounted): the program starts only once everything mounted was found to be what is held. */
  readonly #look = (): void => {
    const childPid = this.#told.childPid();
    if (this.#isOver || childPid === null) return;
    const found = mountedAsHeld(childPid, this.#parts.readyFolder, this.#parts.held);
    if (this.#killed !== null) this.#kill(this.#killed);
    else if (found === "same") this.#start.end("start");
    else if (found === "changed") this.#kill({ kind: "refused", fault: CHANGED });
    else if (++this.#looks > LOOKS_MAX) this.#kill({ kind: "refused", fault: UNSEEN });
    else if (this.#looks < LOOKS_AT_ONCE) setImmediate(this.#look);
    else setTimeout(this.#look, 1);
  };

  /**
   * Kills the sandbox's first process, and with it all others; bubblewrap then ends by itself. To kill bubblewrap would
   * not do: until shortly before the program starts, its child does not know yet that it has to die with it, and would
   * go on, or wait for ever. Before there is a child there is nothing to kill, and it is done when there is.
   */
  #kill(why: SandboxEnd): void {
    if (this.#told.exitCode() === null) this.#killed ??= why;
    const [childPid, launcherPid] = [this.#told.childPid(), this.#parts.child.pid];
    if (childPid !== null) killChildOf(launcherPid, childPid);
    if (this.#stdout.listenerCount("readable") === 0) this.#stdout.resume(); // nobody reads, and only its end is the end
  }

  #endFrom(failure: unknown, killedBy: NodeJS.Signals | null, errorText: string): SandboxEnd {
    const exitCode = this.#told.exitCode();
    if (this.#killed !== null) return this.#killed;
    if (exitCode !== null) return { kind: "exited", exitCode, errorText };
    if (killedBy !== null) return { kind: "lost" };
    const paths = this.#parts.held.map(({ path }) => path);
    return { kind: "refused", fault: failure === null ? faultFromLaunch(errorText, paths) : faultFromSpawn(failure) };
  }
}

/** Once bubblewrap has taken note of its child's end, the number may become somebody else's: so it is looked at. */
function killChildOf(parentPid: number | undefined, pid: number): void {
  try {
    const isStillIt = readFileSync(`/proc/${pid}/status`, "latin1").includes(`\nPPid:\t${parentPid}\n`);
    if (isStillIt) process.kill(pid, "SIGKILL");
  } catch {
    // It has gone.
  }
}

/** Whoever has read enough leaves the rest to be read by nobody: its end is the proof that the program is gone. */
async function* outputOf(stdout: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stdout.iterator({ destroyOnReturn: false });
  } finally {
    stdout.resume();
  }
}

const ERROR_CHARS_MAX = 16 * 1024;

/** The beginning of a stream, which is read to its end: a full pipe would hold up whoever writes to it. */
function beginningOf(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < ERROR_CHARS_MAX) text += chunk;
  });
  return () => text.slice(0, ERROR_CHARS_MAX);
}
