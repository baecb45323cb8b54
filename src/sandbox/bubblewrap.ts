import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram, SandboxFault } from "../ports/sandbox.ts";
import { type Launchers, launchOf } from "./bubblewrap-arguments.ts";
import { findProgram, type ProgramPlaces } from "./find-program.ts";
import { LaunchStatus } from "./launch-status.ts";
import { faultFromLaunch, faultFromSpawn, missingProgram } from "./sandbox-faults.ts";

/** Programs in namespaces of their own, by bubblewrap. The programs it needs are looked for once, when first needed. */
export function openBubblewrap(places: ProgramPlaces): Sandbox {
  let found: Launchers | SandboxFault | null = null;
  const launchers = (): Launchers | SandboxFault => {
    found ??= findLaunchers(places);
    return found;
  };
  return {
    missing: () => {
      const all = launchers();
      return "code" in all ? all : null;
    },
    start: (command, signal) => {
      const all = launchers();
      return "code" in all ? refused(all) : started(command, all, signal);
    },
  };
}

function findLaunchers(places: ProgramPlaces): Launchers | SandboxFault {
  const bwrap = findProgram("bwrap", places);
  if (bwrap.kind !== "found") return missingProgram("bwrap", "bubblewrap", bwrap);
  const prlimit = findProgram("prlimit", places);
  if (prlimit.kind !== "found") return missingProgram("prlimit", "util-linux", prlimit);
  return { bwrap: bwrap.path, prlimit: prlimit.path };
}

const refused = (fault: SandboxFault): SandboxedProgram => ({
  output: NOTHING,
  ended: Promise.resolve({ kind: "refused", fault }),
  stop: () => {},
});

const NOTHING: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => [].values() as never };

function started(command: SandboxCommand, launchers: Launchers, signal: AbortSignal): SandboxedProgram {
  if (signal.aborted) return { output: NOTHING, ended: Promise.resolve({ kind: "stopped" }), stop: () => {} };
  const launch = launchOf(command, launchers);
  const [program, ...args] = launch.argv;
  let child: ChildProcess;
  try {
    // An empty environment for bubblewrap too: the program could read its launcher's.
    child = spawn(program, args, { env: {}, cwd: "/", stdio: ["ignore", "pipe", "pipe", "pipe", ...launch.fds] });
  } catch (error) {
    return refused(faultFromSpawn(error));
  }
  return watched(child, signal);
}

function watched(child: ChildProcess, signal: AbortSignal): SandboxedProgram {
  const [, stdout, stderr, status] = child.stdio as unknown as readonly [null, Readable, Readable, Readable];
  const told = new LaunchStatus();
  let isStopped = false;
  const stop = () => {
    isStopped ||= told.exitCode() === null;
    if (isStopped) killSandbox(told.childPid(), child.pid);
    if (stdout.listenerCount("readable") === 0) stdout.resume(); // nobody reads, and only its end is the end
  };
  status.setEncoding("utf8").on("data", (chunk: string) => {
    told.add(chunk);
    if (isStopped) stop();
  });
  const errorText = textOf(stderr);
  signal.addEventListener("abort", stop, { once: true });
  const ended = new Promise<SandboxEnd>((resolve) => {
    let failure: unknown = null;
    child.once("error", (error) => {
      failure = error;
    });
    child.once("close", (_, killedBy) => {
      signal.removeEventListener("abort", stop);
      resolve(endOf({ isStopped, failure, killedBy, exitCode: told.exitCode(), errorText: errorText() }));
    });
  });
  return { output: outputOf(stdout), ended, stop };
}

/** Whoever has read enough leaves the rest to be read by nobody: its end is the proof that the program is gone. */
async function* outputOf(stdout: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stdout.iterator({ destroyOnReturn: false });
  } finally {
    stdout.resume();
  }
}

/**
 * Kills the sandbox's first process, and with it all others; bubblewrap then ends by itself. To kill bubblewrap would
 * not do: until shortly before the program starts, its child does not know yet that it has to die with it, and would
 * go on, or wait for ever. Before there is a child, there is nothing to kill: it is done as soon as it is told of.
 */
function killSandbox(childPid: number | null, launcherPid: number | undefined): void {
  if (childPid === null || launcherPid === undefined) return;
  try {
    // Once bubblewrap has taken note of its end, the number may become somebody else's.
    const status = readFileSync(`/proc/${childPid}/status`, "latin1");
    if (status.includes(`\nPPid:\t${launcherPid}\n`)) process.kill(childPid, "SIGKILL");
  } catch {
    // It has gone.
  }
}

interface Seen {
  readonly isStopped: boolean;
  readonly failure: unknown;
  readonly killedBy: NodeJS.Signals | null;
  readonly exitCode: number | null;
  readonly errorText: string;
}

function endOf({ isStopped, failure, killedBy, exitCode, errorText }: Seen): SandboxEnd {
  if (isStopped) return { kind: "stopped" };
  if (exitCode !== null) return { kind: "exited", exitCode, errorText };
  if (killedBy !== null) return { kind: "lost" };
  const fault = failure === null ? faultFromLaunch(errorText) : faultFromSpawn(failure);
  return { kind: "refused", fault };
}

const ERROR_CHARS_MAX = 16 * 1024;

/** The beginning of a stream, which is read to its end: a full pipe would hold up whoever writes to it. */
function textOf(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < ERROR_CHARS_MAX) text += chunk;
  });
  return () => text.slice(0, ERROR_CHARS_MAX);
}
