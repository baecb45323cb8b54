import { dirname } from "node:path";
import { isWithin } from "../domain/is-within.ts";
import type { Mount, SandboxCommand } from "../ports/sandbox.ts";
import { placeOf } from "./mounted-as-held.ts";

/**
 * Whether bubblewrap can't come to make anything on this machine, however names in what is mounted have changed since it
 * was judged. It makes mount points that are missing: a file also behind a link that leads nowhere yet (`/oldroot/…` is
 * the machine itself while it sets up), and folders behind one on the way. So there may be nothing to mount in what is
 * mounted, but folders that lie directly in something read-only.
 */
export const makesNothing = ({ mounts, ownFolder }: SandboxCommand): boolean => {
  const bound = mounts.filter((mount) => mount.kind === "held" || mount.kind === "kept");
  const isSafeIn = (place: string, isDirectory: boolean): boolean =>
    bound.every((one) => {
      const folder = placeOf(one);
      if (folder === place || !isWithin(place, folder)) return true;
      return isDirectory && one.access !== "write" && dirname(place) === folder;
    });
  return (
    mounts.every((mount) => isSafeIn(placeOf(mount), isFolder(mount))) &&
    (ownFolder === undefined || isSafeIn(ownFolder, false))
  );
};

function isFolder(mount: Mount): boolean {
  if (mount.kind === "installed") return false;
  return mount.kind === "hidden" ? mount.as !== "file" : mount.held.kind === "directory";
}
