import type { ChildProcess } from "node:child_process";
import type { SandboxLimits } from "../ports/sandbox.ts";
import { Cgroup, type CgroupPlaces } from "./cgroups.ts";
import { childProcess } from "./child-process.ts";
import type { Bounds } from "./launch.ts";

interface BoundsMachine {
  readonly cgroups: CgroupPlaces;
  readonly prlimit: string;
  /** As whom programs run, where that is not the gate's own user. */
  readonly somebody?: Somebody | undefined;
}

export interface Somebody {
  readonly uid: number;
  readonly gid: number;
}

/** What a launch does about limits that can't be inherited. */
interface BoundsOfLaunch extends Bounds {
  /** Starts the launcher; what takes time begins with it. */
  readonly start: (spawn: () => ChildProcess) => ChildProcess;
}

/**
 * The number of tasks, and memory where it can be counted for all processes together. By a cgroup where this machine
 * lets us make one; else by a limit of the sandbox's own user namespace, which has to be set once that is there.
 */
export function boundsFor(limits: SandboxLimits, machine: BoundsMachine, id: string): BoundsOfLaunch {
  const { cgroups } = machine;
  const group = limits.tasks === undefined ? null : Cgroup.create(cgroups, id);
  const hasTasks = group !== null && cgroups.pids !== null;
  let warmedUp: Promise<unknown> = Promise.resolve();
  return {
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
      if (!group.startsInside && child.pid !== undefined) warmedUp = group.add(child.pid).catch(() => {});
      return child;
    },
    hold: async (pid) => {
      await warmedUp;
      try {
        if (group?.has(pid) === false) await group.add(pid);
      } catch {
        return false;
      }
      return limits.tasks === undefined || hasTasks || (await tasksLimited(machine, pid, limits.tasks));
    },
    reached: () => group?.reached() ?? [],
    isLast: () => (group?.tasks() ?? Number.POSITIVE_INFINITY) <= 1,
    release: () => group?.remove(),
  };
}

/** The sandbox's first process counts too. */
const OWN_TASKS = 1;

/**
 * Counted by user namespace, and this one has nobody else in it: outside it would be all processes of the user. Set by
 * the user who runs the program: root may have been denied what it takes to change somebody else's.
 */
const tasksLimited = ({ prlimit, somebody }: BoundsMachine, pid: number, tasks: number): Promise<boolean> =>
  new Promise((resolve) => {
    const child = childProcess().spawn(prlimit, [`--pid=${pid}`, `--nproc=${tasks + OWN_TASKS}`], {
      env: {},
      cwd: "/",
      stdio: "ignore",
      ...somebody,
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
