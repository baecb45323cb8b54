import type { SandboxReport } from "../domain/sandbox-report.ts";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram, SandboxFault } from "../ports/sandbox.ts";
import { laterProgram } from "./later-program.ts";
import { Launch } from "./launch.ts";
import { type BubblewrapOptions, lookAround, type Machine, unprepared } from "./launch-machine.ts";
import { startLauncher } from "./launcher.ts";
import { type LaunchAhead, LaunchesAhead } from "./launches-ahead.ts";
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
    try {
      found ??= lookAround(options);
      return found;
    } catch (error) {
      return unprepared(error); // not for good: there may be room the next time
    }
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
      ahead ??= new LaunchesAhead(all, turns);
      const key = ahead.keyOf(command);
      if (key === null) return startedNow(command, all, turns, signal);
      const ended = ahead.begun(key);
      const another = (): void => ahead?.another(key, command);
      const program =
        startedAhead(key, command, { machine: all, turns, ahead }, signal) ??
        startedNow(command, all, turns, signal, another);
      const afterwards = (): void => {
        ended();
        setTimeout(another, AFTERWARDS_MS).unref(); // whoever waits for this one is told first
      };
      void program.ended.then(afterwards, afterwards);
      return program;
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
  memory: cgroups.memory === null ? "watched" : "cgroup",
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

async function started(
  command: SandboxCommand,
  machine: Machine,
  turns: Turns,
  signal: AbortSignal,
  isWanted: () => boolean,
): Promise<SandboxedProgram> {
  try {
    const launcher = await startLauncher(command, machine, { when: "now", turns, isWanted });
    if (launcher === null) return notStarted({ kind: "stopped" });
    const input = inputOf(launcher.child.stdin, command.stdin);
    return new Launch({ ...launcher, ...followed(command, machine), input }, signal);
  } catch (error) {
    return notStarted({ kind: "refused", fault: faultFromSpawn(error) });
  }
}

const isSpokenTo = ({ stdin }: SandboxCommand): boolean => typeof stdin === "object" && "kind" in stdin;

/** `meanwhile`: what there is time for while the program is set up and runs. */
function startedNow(
  command: SandboxCommand,
  machine: Machine,
  turns: Turns,
  signal: AbortSignal,
  meanwhile: () => void = () => {},
): SandboxedProgram {
  setImmediate(meanwhile);
  return laterProgram((isWanted) => started(command, machine, turns, signal, isWanted), signal, isSpokenTo(command));
}

const followed = ({ mounts, termGraceMs = 0 }: SandboxCommand, { launchedAs }: Machine) => ({
  ...{ mounts, launchedAs, termGraceMs },
});

/** In a sandbox that is there already. Null: there is none that fits, or it could not be told of such a program. */
function startedAhead(
  key: string,
  command: SandboxCommand,
  { machine, turns, ahead }: { machine: Machine; turns: Turns; ahead: LaunchesAhead },
  signal: AbortSignal,
): SandboxedProgram | null {
  const words = ahead.isWaiting(key) ? starterWords(command.argv) : null;
  if (words === null) return null;
  const begin = (ready: LaunchAhead): SandboxedProgram => {
    const begins = { told: ready.told, first: ready.first, words };
    const input = inputOf(ready.child.stdin, command.stdin);
    return new Launch({ ...ready, ...followed(command, machine), input, begins }, signal);
  };
  return laterProgram(async (isWanted) => {
    const program = await ahead.take(key, command, isWanted, begin);
    if (program !== null) return program;
    if (!isWanted()) return notStarted({ kind: "stopped" });
    return started(command, machine, turns, signal, isWanted);
  }, signal);
}

const AFTERWARDS_MS = 5;
