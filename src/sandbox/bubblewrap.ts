import type { SandboxReport } from "../domain/sandbox-report.ts";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram, SandboxFault } from "../ports/sandbox.ts";
import { laterProgram } from "./later-program.ts";
import { Launch } from "./launch.ts";
import { type BubblewrapOptions, lookAround, type Machine, unprepared } from "./machine.ts";
import { faultFromSpawn } from "./sandbox-faults.ts";
import { startBubblewrap } from "./start-bubblewrap.ts";
import { Turns } from "./turns.ts";

/** Runs programs in namespaces of their own, by bubblewrap. */
export function openBubblewrap(options: BubblewrapOptions): Sandbox {
  let found: Machine | SandboxFault | null = null;
  const turns = new Turns();
  const machine = (): Machine | SandboxFault => {
    try {
      found ??= lookAround(options);
      return found;
    } catch (error) {
      return unprepared(error); // tried again for the next program
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
      const start = (isWanted: () => boolean) => started(command, all, { turns, isWanted, signal });
      return laterProgram(start, signal, isSpokenTo(command));
    },
  };
}

/** The report of a machine that can't start a program. */
const UNKNOWN: SandboxReport = {
  backend: "namespaces",
  memory: "none",
  network: "none",
  seccomp: true,
  tasks: "none",
  user: "same",
};

const reportOf = ({ cgroups, user }: Machine): SandboxReport => ({
  backend: "namespaces",
  memory: cgroups.memory === null ? "watched" : "cgroup",
  network: "none",
  seccomp: true,
  tasks: cgroups.pids === null ? tasksWithoutGroup(user.kind) : "cgroup",
  user: user.kind,
});

/** The kernel does not count root's processes against `RLIMIT_NPROC`. */
const tasksWithoutGroup = (user: SandboxReport["user"]): SandboxReport["tasks"] =>
  user === "root" ? "none" : "rlimit";

const NOTHING: AsyncIterable<never> = { [Symbol.asyncIterator]: () => [].values() as never };

/** A program that ended before it began. */
export const notStarted = (end: SandboxEnd): SandboxedProgram => ({
  output: NOTHING,
  chunks: NOTHING,
  ended: Promise.resolve(end),
  stop: () => {},
});

interface Start {
  readonly turns: Turns;
  readonly isWanted: () => boolean;
  readonly signal: AbortSignal;
}

async function started(
  command: SandboxCommand,
  machine: Machine,
  { signal, ...start }: Start,
): Promise<SandboxedProgram> {
  try {
    const bubblewrap = await startBubblewrap(command, machine, start);
    if (bubblewrap === null) return notStarted({ kind: "stopped" });
    return new Launch(bubblewrap, command, machine.user.kind, signal);
  } catch (error) {
    return notStarted({ kind: "refused", fault: faultFromSpawn(error) });
  }
}

const isSpokenTo = ({ stdin }: SandboxCommand): boolean => typeof stdin === "object" && "kind" in stdin;
