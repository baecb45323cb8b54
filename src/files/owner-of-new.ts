import { closeSync, constants, fchownSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Whom a new file or folder belongs to if the gate is root: to the owner of the folder that it lies in. Programs run as
 * that user and could not change what root owns. Null: to whom the kernel gives it.
 */
function ownerOfNew(path: string): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === 0 ? null : { uid, gid };
}

/** For a file that this process has just made and still has open. */
export function giveFileToOwner(fd: number, path: string): void {
  const owner = ownerOfNew(path);
  if (owner !== null) fchownSync(fd, owner.uid, owner.gid);
}

/** For a folder that was just made. Not by its name: a program may have put a link in its place. */
export function giveFolderToOwner(path: string): void {
  if (ownerOfNew(path) === null) return;
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveFileToOwner(fd, path);
  } finally {
    closeSync(fd);
  }
}
