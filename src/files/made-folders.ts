import { mkdirSync, rmdirSync } from "node:fs";
import type { CheckedPath, FileResult } from "../ports/files.ts";
import { ok } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import type { Directories } from "./directories.ts";
import { errnoOf } from "./faults.ts";
import { descend } from "./open-regular.ts";
import { giveFolderToOwner } from "./owner-of-new.ts";

/** The folders that a change has made for its files. They go away with it, unless they are kept. */
export class MadeFolders implements Disposable {
  readonly #directories: Directories;
  /** Each by its name in a directory that is held open, the outermost first. */
  readonly #made: string[] = [];

  constructor(directories: Directories) {
    this.#directories = directories;
  }

  /** Throws what the operating system says. One that is there by now is as good, and is not ours to take away. */
  async make(folders: readonly CheckedPath[], label: string): Promise<FileResult<null>> {
    for (const folder of folders) {
      using cursor = new Cursor();
      const name = descend(cursor, folder, label);
      if (!name.ok) return name;
      const { fd } = await this.#directories.open(cursor);
      const path = `/proc/self/fd/${fd}/${name.value}`;
      if (!isMade(path)) continue;
      this.#made.push(path);
      giveFolderToOwner(path);
    }
    return ok(null);
  }

  keep(): void {
    this.#made.length = 0;
  }

  [Symbol.dispose](): void {
    for (const path of this.#made.toReversed()) removeIfEmpty(path);
  }
}

function isMade(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    // A file or a link in its place is found when the way to the file is walked.
    if (errnoOf(error) !== "EEXIST") throw error;
    return false;
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // Somebody else has put something there, or taken it away.
    if (errnoOf(error) === undefined) throw error;
  }
}
