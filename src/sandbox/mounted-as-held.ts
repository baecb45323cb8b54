import { fstatSync, statSync } from "node:fs";
import type { HeldPath } from "../ports/files.ts";

/**
 * Whether the sandbox has what was judged. bubblewrap binds by name only (also `/proc/self/fd/N`, which it resolves
 * first), and a name may lead elsewhere by then; but what is mounted stays, and the program has not started yet. So the
 * two are compared. No name of the workspace is looked up: the way to a mount is made by bubblewrap.
 */
export function mountedAsHeld(
  childPid: number,
  readyFolder: string,
  held: readonly HeldPath[],
): "not ready" | "same" | "changed" {
  const root = `/proc/${childPid}/root`;
  if (!isThere(`${root}${readyFolder}`)) return "not ready";
  return held.every(({ path, fd }) => isSame(`${root}${path}`, fd)) ? "same" : "changed";
}

const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};

function isSame(mounted: string, fd: number): boolean {
  try {
    const [now, judged] = [statSync(mounted, { bigint: true }), fstatSync(fd, { bigint: true })];
    return now.dev === judged.dev && now.ino === judged.ino;
  } catch {
    return false;
  }
}
