import { type BigIntStats, constants, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type CheckedPath, type FileResult, fault, ok } from "../ports/files.ts";
import { Cursor, type Held, isName } from "./cursor.ts";
import { changed, errnoOf, notRegular } from "./faults.ts";
import { isKernelMade } from "./kernel-files.ts";

export interface RegularFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** As of just before the file was opened. */
  readonly stats: BigIntStats;
}

/** Opens a checked path for reading, or null where there is nothing. */
export async function openRegular(path: CheckedPath, label: string): Promise<FileResult<RegularFile | null>> {
  using cursor = new Cursor();
  const name = descend(cursor, path, label);
  return name.ok ? await openRegularAt(cursor, name.value, label) : name;
}

/**
 * Goes to the directory of a checked path and returns the last name.
 * INVARIANT (no links): a checked path held none when it was judged, so a link on it now leads somewhere unjudged.
 */
export function descend(cursor: Cursor, path: CheckedPath, label: string): FileResult<string> {
  const names = path.split("/").slice(1);
  const last = names.pop();
  if (path === "/") return notRegular(label);
  if (last === undefined || !path.startsWith("/") || ![...names, last].every(isName)) {
    return fault("PATH_INVALID", `${label} is not a checked path`, "locate the file first");
  }
  try {
    for (const name of names) cursor.enter(name);
    return ok(last);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOTDIR") return changed(label);
    if (errno === "ENOENT")
      return fault(
        "FILE_NOT_FOUND",
        `the directory of ${label} does not exist`,
        "name one that is there, or create it first",
      );
    throw error;
  }
}

/** What is held is looked at, and what was looked at is opened: no name is resolved in between. */
export async function openRegularAt(
  cursor: Cursor,
  name: string,
  label: string,
): Promise<FileResult<RegularFile | null>> {
  using held = holdOrNull(cursor, name);
  if (held === null) return ok(null);

  const stats = fstatSync(held.fd, { bigint: true });
  if (stats.isSymbolicLink()) return changed(label);
  if (!stats.isFile() || isKernelMade(held.path)) return notRegular(label);

  const handle = await open(held.path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  return ok({ handle, stats, [Symbol.asyncDispose]: () => handle.close() });
}

export function holdOrNull(cursor: Cursor, name: string): Held | null {
  try {
    return cursor.hold(name);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}
