import type { ChildProcess } from "node:child_process";
import type { SandboxReport } from "../domain/sandbox-report.ts";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram, SandboxFault } from "../ports/sandbox.ts";
import { laterProgram } from "./later-program.ts";
import { Launch } from "./launch.ts";
import { type BubblewrapOptions, lookAround, type Machine } from "./launch-machine.ts";
import { hasPipes, startLauncher } from "./launcher.ts";
import { LaunchesAhead } from "./launches-ahead.ts";
import { inputOf } from "./program-input.ts";
import { faultFromSpawn } from "./sandbox-faults.ts";
import { starterWords } from "./starter.ts";
import { Turns } from "./turns.ts";

/** Programs in namespaces of their own, by bubblewrap. */
export function openBubblewrap(options: BubblewrapOptions): Sandbox {
  let found: Machine | SandboxFault | null = null;
  let ahead: LaunchesAhead | null = null;
  const turns = new Turns();
  const machine = (): Machine | SandboxFault => {
    found ??= lookAround(options);
    return found;
  };
  return {
    missing: () => {
      const all = machine();
      return "code" in all ? all : null;
    },
    report: () => {
      const all = machine();
      return "code" in all ? UNKNOWN : reportOf(all);
    },
    start: (command, signal) => {
      const all = machine();
      if ("code" in all) return notStarted({ kind: "refused", fault: all });
      if (signal.aborted) return notStarted({ kind: "stopped" });
      ahead ??= new LaunchesAhead(all);
      const known = startedAhead(command, all, ahead, signal);
      if (known !== null) return known;
      // Whoever is going to speak to it has to have its input at once.
      const turn = isSpokenTo(command) ? null : turns.next();
      return turn === null ? started(command, all, signal) : startedOn(turn, command, all, signal);
    },
    close: async () => ahead?.close(),
  };
}

/** Of a machine that starts nothing. */
const UNKNOWN: SandboxReport = {
  backend: "namespaces",
  memory: "none",
  network: "none",
  seccomp: true,
  tasks: "none",
  user: "same",
};

const reportOf = ({ cgroups, launchedAs }: Machine): SandboxReport => ({
  backend: "namespaces",
  memory: cgroups.memory === null ? "rlimit" : "cgroup",
  network: "none",
  seccomp: true,
  tasks: cgroups.pids === null ? "rlimit" : "cgroup",
  user: launchedAs,
});

const NOTHING: AsyncIterable<never> = { [Symbol.asyncIterator]: () => [].values() as never };

export const notStarted = (end: SandboxEnd): SandboxedProgram => ({
  output: NOTHING,
  chunks: NOTHING,
  ended: Promise.resolve(end),
  stop: () => {},
});

/** A program that is about to say why it could not be started. */
export const failing = (child: ChildProcess): SandboxedProgram => ({
  ...notStarted({ kind: "stopped" }),
  ended: new Promise((resolve) =>
    child.once("error", (error) => resolve({ kind: "refused", fault: faultFromSpawn(error) })),
  ),
});

function started(command: SandboxCommand, machine: Machine, signal: AbortSignal): SandboxedProgram {
  try {
    const launcher = startLauncher(command, machine);
    if (!hasPipes(launcher.child)) return failing(launcher.child);
    const input = inputOf(launcher.child.stdin, command.stdin);
    return new Launch({ ...launcher, ...followed(command, machine), input }, signal);
  } catch (error) {
    return notStarted({ kind: "refused", fault: faultFromSpawn(error) });
  }
}

const isSpokenTo = ({ stdin }: SandboxCommand): boolean => typeof stdin === "object" && "kind" in stdin;

const startedOn = (turn: Promise<void>, command: SandboxCommand, machine: Machine, signal: AbortSignal) =>
  laterProgram(async (isWanted) => {
    await turn;
    return isWanted() ? started(command, machine, signal) : notStarted({ kind: "stopped" });
  }, signal);

const followed = ({ mounts, termGraceMs = 0 }: SandboxCommand, { launchedAs }: Machine) => ({
  ...{ mounts, launchedAs, termGraceMs },
});

/** In a sandbox that is there already. Null: there is none that fits. */
function startedAhead(
  command: SandboxCommand,
  machine: Machine,
  ahead: LaunchesAhead,
  signal: AbortSignal,
): SandboxedProgram | null {
  const key = ahead.keyOf(command);
  const words = key === null ? null : starterWords(command.argv);
  if (key === null || words === null) return null;
  const another = (): void => ahead.another(key, command);
  if (!ahead.isWaiting(key)) {
    setImmediate(another); // while this program runs there is time
    return null;
  }
  return laterProgram(async (isWanted) => {
    const ready = await ahead.take(key, command, isWanted);
    if (!isWanted()) return notStarted({ kind: "stopped" });
    if (ready === null) return started(command, machine, signal);
    const { told, first, words: pipe } = ready;
    const begins = { told, first, pipe, words };
    const launch = new Launch({ ...ready, ...followed(command, machine), input: undefined, begins }, signal);
    // Whoever waits for this program's end is told first.
    void launch.ended.then(() => setTimeout(another, AFTERWARDS_MS).unref());
    return launch;
  }, signal);
}

const AFTERWARDS_MS = 5;
