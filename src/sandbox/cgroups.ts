import {
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

/** Where groups for programs can be made. Null = nowhere. In version 2 both are the same folder. */
export interface CgroupPlaces {
  readonly pids: string | null;
  readonly memory: string | null;
  readonly isUnified?: boolean;
  /** Version 1 only: the gate's own group for each of the two. */
  readonly homes?: readonly string[];
}

const NAME = /^toolgate-(\d+)-/;

/** Version 1 moves single threads, by this file. */
const THREADS = "tasks";
/** The thread that writes it. */
const SELF = "0";

const homeFiles = new Map<string, number>();

/** Kept open: without a free descriptor the gate's thread could not leave the program's group. */
function homeFile(home: string): number {
  const file = homeFiles.get(home) ?? openSync(join(home, THREADS), "w");
  homeFiles.set(home, file);
  return file;
}

/** Removes the empty groups of gates that were killed. */
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

  /** Null = groups can't be made on this machine. Throws if one should be made and can't. */
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

  /** Sets the limits, after the gate's thread has left the group. Throws if a limit can't be set. */
  limit({ tasks, memoryBytes }: SandboxLimits): void {
    const { pids, memory, isUnified } = this.#places;
    if (tasks !== undefined) this.#write(pids, "pids.max", tasks + LAUNCHER_TASKS);
    this.#write(memory, isUnified === true ? "memory.max" : "memory.limit_in_bytes", memoryBytes);
    if (isUnified !== true) return;
    // The program is ended as a whole: a shell that goes on without its child would report a confusing error.
    this.#write(memory, "memory.oom.group", 1);
    // Absent if the kernel counts no swap.
    if (existsSync(join(memory ?? "", this.#name, "memory.swap.max"))) this.#write(memory, "memory.swap.max", 0);
  }

  /** Whether a program that is started by `around` begins inside the group. */
  get startsInside(): boolean {
    return this.#places.homes?.length === this.#folders.length;
  }

  /**
   * Starts something while this thread is in the group (version 1). A thread moves itself at once; to move another
   * process holds up every fork and exit on the machine for some milliseconds.
   */
  around<Started>(start: () => Started): Started {
    if (!this.startsInside) return start();
    // Opened before this thread leaves its group.
    const files = this.#places.homes?.map(homeFile) ?? [];
    try {
      for (const folder of this.#folders) writeFileSync(join(folder, THREADS), SELF);
      return start();
    } finally {
      for (const file of files) writeSync(file, SELF);
    }
  }

  /** Moves a process into the group. Asynchronous because the kernel may take some milliseconds. */
  async add(pid: number): Promise<void> {
    for (const folder of this.#folders) await writeFile(join(folder, "cgroup.procs"), String(pid));
  }

  /** A process begins in the group of its parent, so it may be here already. To look is much cheaper than to move. */
  has(pid: number): boolean {
    const paths = pathsIn(`/proc/${pid}/cgroup`);
    const isHere = (place: string | null, controller: string): boolean =>
      place === null || (paths.get(controller) ?? paths.get(""))?.endsWith(`/${this.#name}`) === true;
    return isHere(this.#places.pids, "pids") && isHere(this.#places.memory, "memory");
  }

  /** How many tasks the kernel counts in the group; null = the group does not count them, or is removed. */
  tasks(): number | null {
    const file = this.#file(this.#places.pids, "pids.current");
    const text = file === null ? null : textOf(file);
    return text === null ? null : Number.parseInt(text, 10);
  }

  reached(): readonly LimitReached[] {
    const { pids, memory, isUnified } = this.#places;
    const memoryFile = isUnified === true ? "memory.events" : "memory.oom_control";
    return [
      ...(countIn(this.#file(pids, "pids.events"), "max") > 0 ? (["processes"] as const) : []),
      ...(countIn(this.#file(memory, memoryFile), "oom_kill") > 0 ? (["memory"] as const) : []),
    ];
  }

  /** Removes the group. Processes that have just ended may still be counted, so it tries again for some seconds. */
  remove(attempt = 0): void {
    const left = this.#folders.filter((folder) => !removed(folder));
    if (left.length === 0 || attempt === REMOVALS_MAX) return;
    for (const folder of left) killAllIn(folder);
    setTimeout(() => this.remove(attempt + 1), 5 * 2 ** attempt);
  }

  #file(place: string | null, name: string): string | null {
    return place === null ? null : join(place, this.#name, name);
  }

  /** Never creates the file: a limit that was written to a plain file would limit nothing. */
  #write(place: string | null, name: string, value: number): void {
    if (place !== null) writeFileSync(join(place, this.#name, name), String(value), { flag: "r+" });
  }
}

/** bubblewrap and its first process may be in the group too. */
const LAUNCHER_TASKS = 2;
const REMOVALS_MAX = 9;

/** Version 2 ends everything in a group at once, also a process that has left its session. */
function killAllIn(folder: string): void {
  try {
    writeFileSync(join(folder, "cgroup.kill"), "1", { flag: "r+" });
  } catch (error) {
    // Version 1, a kernel before 5.14, or the group has just been removed.
    if (!["ENOENT", "ENODEV", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function countIn(file: string | null, name: string): number {
  const text = file === null ? null : textOf(file);
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text ?? "")?.[1] ?? 0);
}

/** Null = the file is not there. An exception costs more than to look first. */
function textOf(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (["ENOENT", "ENODEV"].includes((error as NodeJS.ErrnoException).code ?? "")) return null; // removed meanwhile
    throw error;
  }
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Whether the folder is gone. False = processes are left in it, or it belongs to another user. */
function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["EBUSY", "EACCES", "EPERM", "ENOTEMPTY"].includes(code)) return false;
    if (code === "ENOENT") return true;
    throw error;
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

/** Lines such as `4:memory:/a/b`; the unified hierarchy has no controllers in its line. */
export function pathsIn(file: string): ReadonlyMap<string, string> {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return new Map(
      lines.flatMap((line) => {
        const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
        return controllers.split(",").map((controller) => [controller, path] as const);
      }),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return new Map(); // no cgroups, or the process has ended
    throw error;
  }
}
