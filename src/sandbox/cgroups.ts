import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LimitReached, SandboxLimits } from "../ports/sandbox.ts";

/** Where groups can be made: by controller for version 1, one folder for all in version 2. */
export interface CgroupPlaces {
  readonly pids: string | null;
  readonly memory: string | null;
  /** Where this process itself is, for each of the two. Left out = not known, or not version 1. */
  readonly homes?: readonly string[];
}

/** To the kernel: the thread that writes it. */
const SELF = "0";
const NAME = /^toolgate-(\d+)-/;
const ROOT = "/sys/fs/cgroup";

/** Tried, not believed: a folder that is there may refuse groups, or have none of the files that limit anything. */
export function findCgroups(root: string = ROOT, ownCgroups: string = "/proc/self/cgroup"): CgroupPlaces {
  const own = ownPaths(ownCgroups);
  const unified = own.get("") ?? "/";
  const usable = (controller: string, file: string): string | null => {
    const path = own.get(controller);
    const candidates =
      path === undefined ? [join(root, unified)] : [join(root, controller, path), join(root, controller)];
    return candidates.find((folder) => holdsLimits(folder, file)) ?? null;
  };
  const homes = ["pids", "memory"].flatMap((controller) => {
    const path = own.get(controller);
    return path === undefined ? [] : [join(root, controller, path)];
  });
  return {
    pids: usable("pids", "pids.max"),
    memory: usable("memory", "memory.limit_in_bytes") ?? (own.has("memory") ? null : usable("memory", "memory.max")),
    ...(homes.length === 2 && homes.every((home) => mayWrite(join(home, THREADS))) && { homes }),
  };
}

/** Version 1 has threads in groups of their own. */
const THREADS = "tasks";

const waysHome = new Map<string, number>();

/** Stays open: without a descriptor to spare a thread would have to stay where it is. */
function wayHome(home: string): number {
  const way = waysHome.get(home) ?? openSync(join(home, THREADS), "w");
  waysHome.set(home, way);
  return way;
}

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function ownPaths(file: string): ReadonlyMap<string, string> {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return new Map(
      lines.flatMap((line) => {
        const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
        return controllers.split(",").map((controller) => [controller, path] as const);
      }),
    );
  } catch {
    return new Map();
  }
}

let tried = 0;

function holdsLimits(folder: string, file: string): boolean {
  const path = join(folder, `toolgate-${process.pid}-try${tried++}`);
  try {
    mkdirSync(path);
  } catch {
    return false;
  }
  try {
    readFileSync(join(path, file));
    return true;
  } catch {
    return false;
  } finally {
    removed(path);
  }
}

/** Groups of processes that are gone: a gate that was killed leaves them, empty. */
export function sweepCgroups({ pids, memory }: CgroupPlaces): void {
  for (const folder of new Set([pids, memory].filter((one) => one !== null))) {
    for (const name of namesIn(folder)) {
      const owner = NAME.exec(name)?.[1];
      if (owner !== undefined && Number(owner) !== process.pid && !isAlive(Number(owner))) removed(join(folder, name));
    }
  }
}

/** The group of one program. */
export class Cgroup {
  readonly #folders: readonly string[];
  readonly #places: CgroupPlaces;
  readonly #name: string;

  private constructor(places: CgroupPlaces, name: string) {
    this.#places = places;
    this.#name = name;
    this.#folders = [...new Set([places.pids, places.memory].filter((one) => one !== null))].map((one) =>
      join(one, name),
    );
  }

  /** Null: this machine has none to give. Throws where it should and can't. */
  static create(places: CgroupPlaces, id: string): Cgroup | null {
    if (places.pids === null && places.memory === null) return null;
    const group = new Cgroup(places, `toolgate-${process.pid}-${id}`);
    try {
      for (const folder of group.#folders) mkdirSync(folder);
      return group;
    } catch (error) {
      group.remove();
      throw error;
    }
  }

  /** Not before this thread has left it: a limit of the program's is none of ours. Throws where it can't be set. */
  limit({ tasks, memoryBytes }: SandboxLimits): void {
    if (tasks !== undefined) this.#write(this.#places.pids, ["pids.max"], tasks + LAUNCHER_TASKS);
    this.#write(this.#places.memory, ["memory.limit_in_bytes", "memory.max"], memoryBytes);
  }

  /** Where a process that has one thread writes a zero to be in it; done at once, as `around` is. */
  entries(): readonly string[] {
    const file = this.#places.homes === undefined ? "cgroup.procs" : THREADS;
    return this.#folders.map((folder) => join(folder, file));
  }

  /** Whether what is started `around` begins in the group. */
  get startsInside(): boolean {
    return this.#places.homes?.length === this.#folders.length;
  }

  /**
   * What is started meanwhile begins in the group, where a thread can move itself: that is done at once, whereas another
   * process is moved only after a while in which nobody on this machine can start or end one.
   */
  around<Started>(start: () => Started): Started {
    if (!this.startsInside) return start();
    // What it takes to come back is there before this thread leaves.
    const ways = this.#places.homes?.map(wayHome) ?? [];
    try {
      for (const folder of this.#folders) writeFileSync(join(folder, THREADS), SELF);
      return start();
    } finally {
      for (const way of ways) writeSync(way, SELF);
    }
  }

  /** The kernel may take some milliseconds, so not on this thread. */
  async add(pid: number): Promise<void> {
    for (const folder of this.#folders) await writeFile(join(folder, "cgroup.procs"), String(pid));
  }

  /** A child is where its parent was when it was made. Looking costs far less than moving what is there already. */
  has(pid: number): boolean {
    const own = ownPaths(`/proc/${pid}/cgroup`);
    const isHere = (place: string | null, controller: string): boolean =>
      place === null || (own.get(controller) ?? own.get(""))?.endsWith(`/${this.#name}`) === true;
    return isHere(this.#places.pids, "pids") && isHere(this.#places.memory, "memory");
  }

  /** How many there are, counted by the kernel: what is just being made counts already. Null: nobody counts. */
  tasks(): number | null {
    const file = this.#file(this.#places.pids, "pids.current");
    try {
      return file === null ? null : Number.parseInt(readFileSync(file, "latin1"), 10);
    } catch {
      return null;
    }
  }

  reached(): readonly LimitReached[] {
    const { pids, memory } = this.#places;
    const isMemoryReached = MEMORY_COUNTS.some((name) => countIn(this.#file(memory, name), "oom_kill") > 0);
    return [
      ...(countIn(this.#file(pids, "pids.events"), "max") > 0 ? (["processes"] as const) : []),
      ...(isMemoryReached ? (["memory"] as const) : []),
    ];
  }

  /** What died a moment ago may still be counted; then it is tried again. */
  remove(attempt = 0): void {
    const left = this.#folders.filter((folder) => !removed(folder));
    if (left.length > 0 && attempt < REMOVALS_MAX) setTimeout(() => this.remove(attempt + 1), 5 * 2 ** attempt);
  }

  #file(place: string | null, name: string): string | null {
    return place === null ? null : join(place, this.#name, name);
  }

  /** By the first of the names that there is. A limit that can't be set is none, so then there is no group either. */
  #write(place: string | null, [name, ...others]: readonly [string, ...string[]], value: number): void {
    if (place === null) return;
    try {
      writeFileSync(join(place, this.#name, name), String(value), { flag: "r+" });
    } catch (error) {
      const [next, ...rest] = others;
      if (next === undefined || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      this.#write(place, [next, ...rest], value);
    }
  }
}

/** bubblewrap and its first process are in the group too. */
const LAUNCHER_TASKS = 2;
const REMOVALS_MAX = 9;

/** Of version 1, and of version 2. */
const MEMORY_COUNTS = ["memory.oom_control", "memory.events"] as const;

function countIn(file: string | null, name: string): number {
  // An error costs more than to look first.
  if (file === null || !existsSync(file)) return 0;
  try {
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(readFileSync(file, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
