import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CgroupPlaces, pathsIn } from "./cgroups.ts";
import { askSystemd, type Systemd } from "./systemd.ts";

const ROOT = "/sys/fs/cgroup";
const OWN = "/proc/self/cgroup";

/**
 * In version 2 a group that holds processes can't limit groups inside it. So the gate sits in a leaf of its own group,
 * and the groups of programs are made beside that leaf.
 */
const LEAF = "toolgate-gate";

/**
 * Finds the folders in which groups for programs can be made. Each is tried, because a folder may exist and still refuse
 * groups or lack the files that set limits. In version 2 this may move the gate: see `unifiedPlace`.
 */
export function findCgroups(root: string = ROOT, own: string = OWN, systemd: Systemd = askSystemd): CgroupPlaces {
  const paths = pathsIn(own);
  const firstUsable = (controller: string, file: string): string | null => {
    const path = paths.get(controller);
    if (path === undefined) return null;
    return [join(root, controller, path), join(root, controller)].find((folder) => holdsLimits(folder, file)) ?? null;
  };
  const [pids, memory] = [firstUsable("pids", "pids.max"), firstUsable("memory", "memory.limit_in_bytes")];
  if (paths.has("pids") || paths.has("memory")) return { pids, memory, ...homesOf(root, paths) };
  const place = unifiedPlace(root, own, systemd);
  return place === null ? { pids: null, memory: null } : { pids: place, memory: place, isUnified: true };
}

/** Version 1 can move one thread, so the gate can start a program inside its group. */
function homesOf(root: string, paths: ReadonlyMap<string, string>): Pick<CgroupPlaces, "homes"> {
  const homes = ["pids", "memory"].flatMap((controller) => {
    const path = paths.get(controller);
    return path === undefined ? [] : [join(root, controller, path)];
  });
  return homes.length === 2 && homes.every((home) => isWritable(join(home, "tasks"))) ? { homes } : {};
}

/**
 * Three ways, best first: the gate's own group, if systemd delegated it; a scope that systemd makes and delegates on
 * request; an ancestor in which this user may make groups. The last belongs to systemd, which may change it any time.
 */
function unifiedPlace(root: string, own: string, systemd: Systemd): string | null {
  const path = unifiedPath(own);
  if (path === null) return null;
  if (isDelegated(root, path, systemd) && splitOff(join(root, path))) return join(root, path);
  if (systemd.moveToScope()) {
    const scope = unifiedPath(own);
    if (scope !== null && splitOff(join(root, scope))) return join(root, scope);
  }
  return (
    ancestorsOf(path)
      .map((ancestor) => join(root, ancestor))
      .find((folder) => allowsGroups(folder)) ?? null
  );
}

/** The gate's own group without the leaf that this gate, or the one that started it, has moved to. */
function unifiedPath(own: string): string | null {
  const path = pathsIn(own).get("");
  if (path === undefined) return null;
  return basename(path) === LEAF ? dirname(path) : path;
}

/**
 * The system's manager gives a folder to a user only to delegate it. It gives root's folders to nobody, and the user's
 * manager owns all folders below its own, so in these two cases systemd must be asked.
 */
function isDelegated(root: string, path: string, systemd: Systemd): boolean {
  const folder = join(root, path);
  if (!isWritable(join(folder, "cgroup.procs")) || !isWritable(join(folder, "cgroup.subtree_control"))) return false;
  const uid = process.getuid?.() ?? 0;
  const isBelowUserManager = /\/user@\d+\.service\//.test(path);
  if (uid !== 0 && !isBelowUserManager) return statSync(folder).uid === uid;
  const unit = basename(path);
  return /\.(service|scope)$/.test(unit) && systemd.isDelegated(unit, isBelowUserManager ? "user" : "system");
}

/** Moves all processes of the group to its leaf, and turns its controllers on for the groups beside the leaf. */
function splitOff(folder: string): boolean {
  const leaf = join(folder, LEAF);
  try {
    mkdirSync(leaf, { recursive: true });
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const pids = readFileSync(join(folder, "cgroup.procs"), "utf8")
        .split("\n")
        .filter((pid) => pid !== "");
      for (const pid of pids) moveTo(leaf, pid);
      if (pids.length === 0 && allowsGroups(folder)) return true;
    }
    return false;
  } catch (error) {
    return refused(error);
  }
}

/** A process may start another one while it is moved. */
const ROUNDS_MAX = 20;

function moveTo(group: string, pid: string): void {
  try {
    writeFileSync(join(group, "cgroup.procs"), pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended
  }
}

const ancestorsOf = (path: string): readonly string[] => (path === "/" ? ["/"] : [path, ...ancestorsOf(dirname(path))]);

/** Whether a group can be made in this folder that limits both tasks and memory. */
function allowsGroups(folder: string): boolean {
  if (!isWritable(folder) || !isWritable(join(folder, "cgroup.procs"))) return false;
  try {
    writeFileSync(join(folder, "cgroup.subtree_control"), "+memory +pids", { flag: "r+" });
  } catch (error) {
    refused(error); // the controllers may be on already
  }
  return holdsLimits(folder, "pids.max", "memory.max");
}

let tried = 0;

function holdsLimits(folder: string, ...files: readonly string[]): boolean {
  const path = join(folder, `toolgate-${process.pid}-try${tried++}`);
  try {
    mkdirSync(path);
  } catch (error) {
    return refused(error);
  }
  const holds = files.every((file) => existsSync(join(path, file)));
  rmdirSync(path);
  return holds;
}

/** What the kernel answers if this user may not do it, or the group can't. Anything else is our mistake. */
function refused(error: unknown): false {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (REFUSALS.has(code)) return false;
  throw error;
}

const REFUSALS: ReadonlySet<string> = new Set([
  ...["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR"],
  // A group that holds processes, or one that may have no more groups below it; a controller that is not there.
  ...["EBUSY", "EAGAIN", "EOPNOTSUPP", "EINVAL", "ENODEV"],
]);

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch (error) {
    return refused(error);
  }
}
