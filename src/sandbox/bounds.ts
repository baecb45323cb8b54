import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { SandboxLimits } from "../ports/sandbox.ts";
import { CALLS, CallList } from "./call-list.ts";
import { Cgroup, type CgroupPlaces } from "./cgroups.ts";
import { childProcess } from "./child-process.ts";
import type { Bounds } from "./launch.ts";
import type { Somebody } from "./launched.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { RESOURCES } from "./rlimit.ts";
import type { Spawner } from "./spawner.ts";

interface BoundsMachine {
  readonly cgroups: CgroupPlaces;
  readonly prlimit: string;
  /** As whom programs run, where that is not the gate's own user. */
  readonly somebody?: Somebody | undefined;
}

/** What a launch does about limits that can't be inherited. */
interface BoundsOfLaunch extends Bounds {
  /** Starts the launcher; what takes time begins with it. */
  readonly start: (spawn: () => ChildProcess) => ChildProcess;
  /** Instead: where the launcher has to write a zero itself before it is one. Throws where limits can't be set. */
  readonly entries: () => readonly string[];
}

/**
 * Bounds the number of tasks and the memory of all processes of a program together. By a cgroup if this machine lets the
 * gate make one. Otherwise tasks are bounded by a limit of the sandbox's own user namespace, and memory by a watch.
 */
export function boundsFor(
  limits: SandboxLimits,
  machine: BoundsMachine,
  id: string,
  spawner: Spawner | null = null,
): BoundsOfLaunch {
  const { cgroups } = machine;
  const group = limits.tasks === undefined ? null : Cgroup.create(cgroups, id);
  const hasTasks = group !== null && cgroups.pids !== null;
  const hasMemory = group !== null && cgroups.memory !== null;
  // In version 2 the kernel ends a whole group, and bubblewrap itself must live to report how the program ended.
  const isLauncherInside = cgroups.isUnified !== true;
  let moved: Promise<unknown> = Promise.resolve();
  let hasEntered = false;
  let watch: MemoryWatch | null = null;
  return {
    entries: () => {
      group?.limit(limits);
      hasEntered = isLauncherInside;
      return isLauncherInside ? (group?.entries() ?? []) : [];
    },
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
        if (!hasEntered && group?.has(pid) === false) await group.add(pid);
        await preferForOom(pid);
      } catch {
        return false; // it has ended, or the kernel refuses: the program does not start without its bounds
      }
      if (limits.tasks !== undefined && !hasTasks && !(await tasksLimited(machine, pid, limits.tasks, spawner)))
        return false;
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
 * Counted by user namespace, and this one has nobody else in it: outside it would be all processes of the user. Set by
 * the user who runs the program: root may have been denied what it takes to change somebody else's.
 */
async function tasksLimited(
  { prlimit, somebody }: BoundsMachine,
  pid: number,
  tasks: number,
  spawner: Spawner | null,
): Promise<boolean> {
  const most = tasks + OWN_TASKS;
  return spawner === null || somebody !== undefined
    ? limitedByProgram(prlimit, [`--pid=${pid}`, `--nproc=${most}`], somebody)
    : limitedBySpawner(spawner, pid, most);
}

async function limitedBySpawner(spawner: Spawner, pid: number, most: number): Promise<boolean> {
  const list = new CallList();
  list.step(CALLS.prlimit64, pid, [RESOURCES.nproc, list.words([most, most]), 0]);
  list.answer();
  // Where it has gone, so has what it would have been told of.
  const answer = await spawner.ask(list).catch(() => null);
  return answer?.errno === 0;
}

const limitedByProgram = (prlimit: string, args: readonly string[], somebody: Somebody | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    const child = childProcess().spawn(prlimit, args, { env: {}, cwd: "/", stdio: "ignore", ...somebody });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
