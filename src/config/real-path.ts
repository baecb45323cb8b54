import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./system-error.ts";

export type RealPath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly code: string };

/**
 * An absolute path with its links followed, also where its last parts don't exist yet.
 * Touches name real paths: a rule about a path that goes through a link would cover nothing.
 */
export function realPath(path: string): RealPath {
  try {
    return { ok: true, path: realpathSync.native(path) };
  } catch (error) {
    const code = errorCode(error);
    // A link to nowhere would lead somewhere else as soon as somebody makes its target.
    return code === "ENOENT" && !isThere(path) ? below(realPath(dirname(path)), basename(path)) : { ok: false, code };
  }
}

const below = (folder: RealPath, name: string): RealPath =>
  folder.ok ? { ok: true, path: join(folder.path, name) } : folder;

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
