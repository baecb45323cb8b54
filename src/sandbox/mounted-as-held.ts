import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { bytesFromName } from "../domain/byte-names.ts";
import { isWithin } from "../domain/is-within.ts";
import type { Mount } from "../ports/sandbox.ts";
import { type MountPoint, mountPoints } from "./mount-points.ts";

/**
 * Whether the sandbox has what was judged. bubblewrap binds by name only (also `/proc/self/fd/N`, which it resolves
 * first), looks up what is mounted and where at two different moments, and a name may lead elsewhere by then; but what
 * is mounted stays, and the program has not started yet. So the two are compared.
 * INVARIANT (judged = mounted): at each place lies a mount of its own, of exactly what the call holds, as writable as
 * it may be; and in what is held there is no mount more.
 */
export function mountedAsHeld(
  childPid: number,
  readyFolder: string,
  mounts: readonly Mount[],
): "not ready" | "same" | "changed" {
  const root = `/proc/${childPid}/root`;
  if (!isThere(`${root}${readyFolder}`)) return "not ready";
  // Of several on one place the last one is seen.
  const wanted = new Map(mounts.map((mount) => [placeOf(mount), mount]));
  if (mounts.every(({ kind }) => kind === "installed")) return "same";
  const points = mountPoints(childPid);
  const byId = new Map(points.map((point) => [point.id, point]));
  const isWanted = ([path, mount]: readonly [string, Mount]): boolean => {
    const seen = mount.kind === "installed" ? null : seenAt(`${root}${path}`, mount.kind);
    const point = byId.get(seen?.mountId ?? "");
    return mount.kind === "installed" || (seen !== null && point?.path === path && isMounted(mount, seen, point));
  };
  return [...wanted].every(isWanted) && isNothingMore(points, wanted) ? "same" : "changed";
}

/** Where it lies in the sandbox. */
export function placeOf(mount: Mount): string {
  if (mount.kind === "hidden") return mount.path;
  return mount.kind === "installed" ? mount.at : mount.held.path;
}

/** What a name led to, with the mount that it lies on: of one moment, since names may be changed between two. */
interface Seen {
  readonly stats: BigIntStats;
  readonly mountId: string;
  /** Of the folder above; null = it has none, or nobody may look, or has to. */
  readonly mountIdAbove: string | null;
}

/** `man 2 open`; Node does not export it. Nothing is opened for data. */
const O_PATH = 0o10000000;

function seenAt(path: string, kind: Mount["kind"]): Seen | null {
  try {
    using opened = openedPath(bytesFromName(path), constants.O_NOFOLLOW);
    return {
      stats: fstatSync(opened.fd, { bigint: true }),
      mountId: mountIdOf(opened.fd),
      mountIdAbove: kind === "hidden" ? null : mountIdAbove(opened.fd),
    };
  } catch {
    return null;
  }
}

function openedPath(path: string | Buffer, flags: number): Disposable & { readonly fd: number } {
  const fd = openSync(path, O_PATH | flags);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}

const mountIdOf = (fd: number): string =>
  /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "";

function mountIdAbove(fd: number): string | null {
  try {
    using above = openedPath(`/proc/self/fd/${fd}/..`, constants.O_DIRECTORY);
    return mountIdOf(above.fd);
  } catch {
    return null;
  }
}

function isMounted(mount: Exclude<Mount, { kind: "installed" }>, seen: Seen, point: MountPoint): boolean {
  const { stats } = seen;
  if (mount.kind !== "hidden") {
    // What lies where nobody may write stays read-only, whatever is granted.
    const isClosed = point.isReadOnly || mount.access === "write";
    return isClosed && areOne(() => [stats, fstatSync(mount.held.fd, { bigint: true })]) && isTop(seen, point);
  }
  if (!point.isReadOnly) return false;
  if (mount.as === "file") return areOne(() => [stats, statSync("/dev/null", { bigint: true })]);
  const mode = mount.as === "empty" ? 0o555n : 0n;
  return point.fileSystem === "tmpfs" && point.root === "/" && stats.isDirectory() && (stats.mode & 0o777n) === mode;
}

/**
 * Whether it is all that is mounted there, and not something in it: the parent of a mount's own top folder lies on
 * another mount. Files have no such way up, and are known by their name.
 */
const isTop = ({ mountId, mountIdAbove }: Seen, point: MountPoint): boolean =>
  mountIdAbove === null
    ? basename(point.root) === basename(point.path) || isOfThisMachine(point)
    : mountIdAbove !== mountId;

/** What comes with a folder, since it is mounted in it on this machine, too. No agent mounts anything here. */
const isOfThisMachine = ({ path, device, root }: MountPoint): boolean =>
  mountPoints("self").some((own) => own.path === path && own.device === device && own.root === root);

function isNothingMore(points: readonly MountPoint[], wanted: ReadonlyMap<string, Mount>): boolean {
  const held = [...wanted.values()].flatMap((mount) => (mount.kind === "held" ? [mount.held.path as string] : []));
  // What was mounted before lies under it.
  const first = points.findIndex(({ path }) => held.includes(path));
  return points.every(
    (point, index) =>
      index < first ||
      wanted.has(point.path) ||
      !held.some((folder) => isWithin(point.path, folder)) ||
      isOfThisMachine(point),
  );
}

const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};

function areOne(look: () => readonly [BigIntStats, BigIntStats]): boolean {
  try {
    const [one, other] = look();
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}
