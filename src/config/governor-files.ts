import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isWithin } from "../domain/is-within.ts";
import { pathsOf } from "./named-file.ts";

/** What may be a path although no file is there yet; code in an argument is none. */
const PATH_LIKE = /^(?:[\w@.+~-]*\/[\w@.+~/-]{1,1000}|\w[\w@+~-]{0,100}\.\w{1,10})$/;

/** What interpreters run of a folder that they are given. */
const ENTRIES = ["package.json", "index.js", "__main__.py"];

/** Who writes the program writes the verdict. A bare name is looked up where no tool can write. */
export const filesNamedBy = (command: readonly string[], workspace: string): readonly string[] =>
  command.flatMap((word, index) => {
    if (word.startsWith("-") || (index === 0 && !word.includes("/"))) return [];
    const path = resolve(workspace, word);
    const kind = kindOf(path);
    // The workspace itself, or what it lies in, is what a program looks at and not the program.
    if (kind === "folder") return isWithin(workspace, path) ? [] : ENTRIES.map((entry) => join(path, entry));
    return kind === "file" || (kind === "none" && PATH_LIKE.test(word)) ? [path] : [];
  });

/** A link can't be closed to programs as a file can: they may move it away and put another in its place. */
export const isBehindLink = (path: string, workspace: string): boolean =>
  isWithin(path, workspace) && pathsOf(path).some((one) => one !== path);

function kindOf(path: string): "file" | "folder" | "none" | "other" {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "none";
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch {
    return "other"; // too long for a name, as code is
  }
}
