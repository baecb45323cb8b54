import { type BigIntStats, fstatSync, readFileSync, statSync } from "node:fs";
import type { Mount } from "../ports/sandbox.ts";

/**
 * Whether the sandbox has what was judged. bubblewrap binds by name only (also `/proc/self/fd/N`, which it resolves
 * first), and a name may lead elsewhere by then; but what is mounted stays, and the program has not started yet. So the
 * two are compared. No name of the workspace is looked up: the way to a mount is made by bubblewrap.
 */
export function mountedAsHeld(
  childPid: number,
  readyFolder: string,
  mounts: readonly Mount[],
): "not ready" | "same" | "changed" {
  const root = `/proc/${childPid}/root`;
  if (!isThere(`${root}${readyFolder}`)) return "not ready";
  if (!mounts.every((mount) => mount.kind !== "held" || isSame(`${root}${mount.held.path}`, mount.held.fd)))
    return "changed";
  const covers = mounts.filter((mount) => mount.kind === "kept" || mount.kind === "hidden");
  if (covers.length === 0) return "same";
  const points = mountPoints(childPid);
  return covers.every((mount) => isCovered(mount, points.get(mount.path))) ? "same" : "changed";
}

/** Whether what is mounted of the installation is still what lies there: it may have been installed anew meanwhile. */
export function installedAsNow(childPid: number, bound: readonly string[], mounts: readonly Mount[]): boolean {
  const root = `/proc/${childPid}/root`;
  const parts = mounts.flatMap((mount) => (mount.kind === "installed" ? [[mount.path, mount.at] as const] : []));
  return [...bound.map((path) => [path, path] as const), ...parts].every(([path, at]) => isOne(path, `${root}${at}`));
}

interface MountPoint {
  readonly isReadOnly: boolean;
  readonly fileSystem: string;
}

/** Something is mounted exactly there, and as it should be: a name that led elsewhere meanwhile has no mount of its own. */
function isCovered(mount: Extract<Mount, { kind: "kept" | "hidden" }>, point: MountPoint | undefined): boolean {
  if (point === undefined) return false;
  if (mount.kind === "kept") return mount.access === "write" || point.isReadOnly;
  return point.isReadOnly && (mount.as === "file" || point.fileSystem === "tmpfs");
}

/** `man 5 proc_pid_mountinfo`. Of several on one place the last one is seen. */
function mountPoints(pid: number): ReadonlyMap<string, MountPoint> {
  const points = new Map<string, MountPoint>();
  try {
    for (const line of readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n")) {
      const [before = "", behind = ""] = line.split(" - ");
      const [, , , , path = "", options = ""] = before.split(" ");
      const point = { isReadOnly: options.split(",").includes("ro"), fileSystem: behind.split(" ")[0] ?? "" };
      points.set(unescaped(path), point);
    }
  } catch {
    // It has gone, and so nothing is mounted.
  }
  return points;
}

/** Blanks and the like are written in octal. The bytes behind may be UTF-8, which the file holds as it is. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};

const isSame = (mounted: string, fd: number): boolean =>
  areOne(() => [statSync(mounted, { bigint: true }), fstatSync(fd, { bigint: true })]);

const isOne = (path: string, mounted: string): boolean =>
  areOne(() => [statSync(path, { bigint: true }), statSync(mounted, { bigint: true })]);

function areOne(look: () => readonly [BigIntStats, BigIntStats]): boolean {
  try {
    const [one, other] = look();
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}
