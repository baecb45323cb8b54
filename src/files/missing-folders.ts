import { isWithin } from "../domain/is-within.ts";
import type { CheckedPath } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import { errnoOf } from "./faults.ts";

/**
 * The folders above a checked path that are not there, the outermost first. Only of the workspace: which folders exist
 * elsewhere is nobody's business before a rule allows it.
 */
export function missingFolders(workspace: string, path: CheckedPath): readonly CheckedPath[] {
  if (!isWithin(path, workspace)) return [];
  using cursor = new Cursor();
  const names = path.split("/").slice(1, -1);
  for (const [at, name] of names.entries()) {
    try {
      cursor.enter(name);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      // What else stands in the way is told by whoever opens the path.
      if (errno !== "ENOENT") return [];
      return names.slice(at).map((_, more) => `/${names.slice(0, at + more + 1).join("/")}` as CheckedPath);
    }
  }
  return [];
}
