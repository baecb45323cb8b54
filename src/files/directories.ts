import { accessSync, constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isWithin } from "../domain/is-within.ts";
import { type FileResult, fault, ok } from "../ports/files.ts";
import type { Cursor } from "./cursor.ts";
import { errnoOf } from "./faults.ts";
import type { ReadyTarget } from "./target.ts";

/** The directories of a change, each of them once: opened before anything happens, made durable after it. */
export class Directories implements AsyncDisposable {
  readonly #handles = new Map<string, FileHandle>();

  /** Throws where names may not be changed: better now than between two files. */
  async open({ here, path }: Cursor): Promise<FileHandle> {
    const known = this.#handles.get(path);
    if (known !== undefined) return known;
    accessSync(here, constants.W_OK | constants.X_OK);
    const handle = await open(here, constants.O_RDONLY | constants.O_DIRECTORY);
    this.#handles.set(path, handle);
    return handle;
  }

  /** Everything is in place by now: a fault must not sound as if it were not. */
  async sync(targets: readonly ReadyTarget[]): Promise<FileResult<null>> {
    const failed = new Set<string>();
    for (const [path, handle] of this.#handles) {
      if (!(await isSynced(handle))) failed.add(path);
    }
    // A folder that was made may be lost with what is in it.
    const lost =
      targets.find(({ cursor }) => failed.has(cursor.path)) ??
      targets.find(({ cursor }) => [...failed].some((folder) => isWithin(cursor.path, folder)));
    if (lost === undefined) return ok(null);
    const what = lost.draft === null ? "deleted, but may be back after" : "written, but may be lost in";
    return fault("IO_ERROR", `${lost.label} was ${what} a power cut`, CHECK_DISK);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close();
  }
}

async function isSynced(directory: FileHandle): Promise<boolean> {
  try {
    await directory.sync();
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return errno === "EINVAL"; // this file system has no such step (`man 2 fsync`)
  }
}

const CHECK_DISK = "check the disk, then read the file before changing it again";
