import { closeSync, constants, openSync, readlinkSync } from "node:fs";

/** `man 2 open`; Node does not export it. */
const O_PATH = 0o10000000;

/** A name in a folder that is held: what is done by `at` is done in that folder, whatever its path leads to by now. */
export interface Spot {
  readonly path: string;
  readonly at: string;
}

/**
 * INVARIANT (no links): a program that runs meanwhile may put a link in the place of a folder on the way, and what the gate
 * makes or takes away by its path would be wherever that leads. Null: the way leads through a link, or nowhere.
 *
 * Not name by name, as a cursor goes, since it is done many times for each program: the kernel tells where it has arrived.
 */
export function inHeldFolder<T>(path: string, use: (spot: Spot) => T): T | null {
  const split = path.lastIndexOf("/");
  const folder = path.slice(0, split) || "/";
  const fd = heldAt(folder);
  if (fd === null) return null;
  try {
    const here = `/proc/self/fd/${fd}`;
    return isPathOf(here, folder) ? use({ path, at: `${here}/${path.slice(split + 1)}` }) : null;
  } finally {
    closeSync(fd);
  }
}

function heldAt(folder: string): number | null {
  try {
    return openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
}

function isPathOf(held: string, folder: string): boolean {
  try {
    return readlinkSync(held) === folder;
  } catch {
    return false; // so deep that it can't be told
  }
}
