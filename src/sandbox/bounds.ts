import type { ChildProcess } from "node:child_process";
import type { SandboxLimits } from "../ports/sandbox.ts";
import { CALLS, CallList } from "./call-list.ts";
import { Cgroup, type CgroupPlaces } from "./cgroups.ts";
import { childProcess } from "./child-process.ts";
import type { Bounds } from "./launch.ts";
import type { Somebody } from "./launched.ts";
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
 * The number of tasks, and memory where it can be counted for all processes together. By a cgroup where this machine
 * lets us make one; else by a limit of the sandbox's own user namespace, which has to be set once that is there.
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
  let warmedUp: Promise<unknown> = Promise.resolve();
  let isInside = false;
  return {
    entries: () => {
      group?.limit(limits);
      isInside = true;
      return group?.entries() ?? [];
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
      if (!group.startsInside && child.pid !== undefined) warmedUp = group.add(child.pid).catch(() => {});
      return child;
    },
    hold: async (pid) => {
      await warmedUp;
      try {
        if (!isInside && group?.has(pid) === false) await group.add(pid);
      } catch {
        return false;
      }
      return limits.tasks === undefined || hasTasks || (await tasksLimited(machine, pid, limits.tasks, spawner));
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
  return spawner.ask(list).then(
    ({ errno }) => errno === 0,
    () => false,
  );
}

const limitedByProgram = (prlimit: string, args: readonly string[], somebody: Somebody | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    const child = childProcess().spawn(prlimit, args, { env: {}, cwd: "/", stdio: "ignore", ...somebody });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
