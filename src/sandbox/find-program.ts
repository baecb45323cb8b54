import { accessSync, constants, lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../domain/is-within.ts";

export interface ProgramPlaces {
  /** Absolute folders, in the order of `PATH`. */
  readonly searchPath: readonly string[];
  /** What lies in here may be an agent's work. */
  readonly workspace: string;
}

export type FoundProgram =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "absent" }
  /** There is one, but somebody whom we don't trust could have put it there. */
  | { readonly kind: "untrusted"; readonly path: string };

/**
 * Finds a program that the gate itself runs, outside of any sandbox. npm puts `node_modules/.bin` of the workspace at
 * the head of `PATH`, so the first of that name may be an agent's: taken is only what neither this user nor everybody
 * can replace, and nothing inside the workspace.
 */
export function findProgram(name: string, { searchPath, workspace }: ProgramPlaces): FoundProgram {
  let untrusted: string | null = null;
  for (const folder of searchPath.filter(isAbsolute)) {
    const path = executableAt(join(folder, name));
    if (path === null) continue;
    if (!isWithin(path, workspace) && !isWithin(folder, workspace) && isOutOfReach(path))
      return { kind: "found", path };
    untrusted ??= path;
  }
  return untrusted === null ? { kind: "absent" } : { kind: "untrusted", path: untrusted };
}

/** Its real path, or null where there is none that may be run. */
function executableAt(named: string): string | null {
  try {
    const path = realpathSync(named);
    accessSync(path, constants.X_OK);
    return lstatSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}

/** Neither the file nor a folder on the way to it belongs to this user, unless that is root, or may be changed by others. */
function isOutOfReach(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (!isProtected(lstatSync(at))) return false;
    if (at === "/") return true;
  }
}

function isProtected({ uid, mode }: Stats): boolean {
  const own = process.getuid?.();
  const isOurs = own === 0 ? uid !== 0 : uid === own;
  return !isOurs && (mode & 0o022) === 0;
}
