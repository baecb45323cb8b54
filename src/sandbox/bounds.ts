import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { LimitReached, SandboxLimits } from "../ports/sandbox.ts";
import type { MemoryBound } from "./bubblewrap-arguments.ts";
import { Cgroup, type CgroupPlaces } from "./cgroups.ts";
import { childProcess } from "./child-process.ts";
import { MemoryWatch } from "./memory-watch.ts";
import type { UserIds } from "./program-user.ts";

interface BoundsMachine {
  readonly cgroups: CgroupPlaces;
  readonly prlimit: string;
  /** As whom programs run, if that is not the gate's own user. */
  readonly somebody?: UserIds | undefined;
  /** Whether programs are root, of whose processes `RLIMIT_NPROC` counts none. */
  readonly isRoot?: boolean;
}

/** The limits of one program that it can't simply inherit. */
export interface Bounds {
  readonly memory: MemoryBound;
  /** Starts bubblewrap so that it is in its group as early as possible. Throws if a limit can't be set. */
  readonly start: (spawn: () => ChildProcess) => ChildProcess;
  /** Resolves once the limits hold for the process, which waits so long. False: they could not be set. */
  readonly hold: (pid: number) => Promise<boolean>;
  readonly reached: () => readonly LimitReached[];
  /** Whether at most one process of the program is left. False if nobody counts them. */
  readonly isLast: () => boolean;
  readonly release: () => void;
}

/**
 * Bounds the number of tasks and the memory of all processes of a program together. By a cgroup if this machine lets the
 * gate make one. Otherwise tasks are bounded by a limit of the sandbox's own user namespace, and memory by a watch.
 */
export function boundsFor(limits: SandboxLimits, machine: BoundsMachine, id: string): Bounds {
  const { cgroups } = machine;
  const group = limits.tasks === undefined ? null : Cgroup.create(cgroups, id);
  const hasTasks = group !== null && cgroups.pids !== null;
  const hasMemory = group !== null && cgroups.memory !== null;
  // In version 2 the kernel ends a whole group, and bubblewrap itself must live to report how the program ended.
  const isLauncherInside = cgroups.isUnified !== true;
  let moved: Promise<unknown> = Promise.resolve();
  let watch: MemoryWatch | null = null;
  return {
    memory: hasMemory ? "counted" : "of each process",
    start: (spawn) => {
      if (group === null) return spawn();
      const child = group.around(spawn);
      try {
        group.limit(limits);
      } catch (error) {
        child.kill("SIGKILL");
        throw error;
      }
      // A move takes the kernel about as long as bubblewrap takes to be ready, and its child begins where it is then.
      if (isLauncherInside && !group.startsInside && child.pid !== undefined)
        moved = group.add(child.pid).catch(() => {}); // tried again below
      return child;
    },
    hold: async (pid) => {
      await moved;
      try {
        if (group?.has(pid) === false) await group.add(pid);
        await preferForOom(pid);
      } catch {
        return false; // it has ended, or the kernel refuses: the program does not start without its bounds
      }
      const { tasks } = limits;
      const needsLimit = tasks !== undefined && !hasTasks && machine.isRoot !== true;
      if (needsLimit && !(await limitsTasks(machine, pid, tasks))) return false;
      if (!hasMemory) watch = new MemoryWatch(pid, limits.memoryBytes);
      return true;
    },
    reached: () => [...(group?.reached() ?? []), ...(watch?.isReached() === true ? (["memory"] as const) : [])],
    isLast: () => (group?.tasks() ?? Number.POSITIVE_INFINITY) <= 1,
    release: () => {
      watch?.stop();
      group?.remove();
    },
  };
}

/**
 * If the whole machine runs out of memory, the kernel ends a program first, and never the gate. A bubblewrap that is
 * installed set-user-id may refuse this; `toolgate doctor` reports it.
 */
async function preferForOom(pid: number): Promise<void> {
  try {
    await writeFile(`/proc/${pid}/oom_score_adj`, "1000");
  } catch (error) {
    if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** The sandbox's first process counts too. */
const OWN_TASKS = 1;

/**
 * The kernel counts tasks by user namespace, and a sandbox has one of its own: outside of it all processes of the user
 * would count. Set by the user who runs the program: root may not have the right to change another user's limits.
 */
const limitsTasks = ({ prlimit, somebody }: BoundsMachine, pid: number, tasks: number): Promise<boolean> =>
  new Promise((resolve) => {
    const args = [`--pid=${pid}`, `--nproc=${tasks + OWN_TASKS}`];
    const ids = somebody === undefined ? {} : { uid: somebody.uid, gid: somebody.gid };
    const child = childProcess().spawn(prlimit, args, { env: {}, cwd: "/", stdio: "ignore", ...ids });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
