import { isUtf8 } from "node:buffer";
import { lstatSync, readlinkSync } from "node:fs";
import { type CheckedPath, type FileKind, type FileResult, fault, type Located, ok } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import { errnoOf, faultFromErrno, faultFromError, labelFrom } from "./faults.ts";
import { isKernelMade, isProcfs } from "./kernel-files.ts";
import { pathTextFault } from "./path-text.ts";

/** As many as the kernel follows (MAXSYMLINKS). */
const LINKS_MAX = 40;

/** A path has at most half of this; forty planted links of 2,000 names each would hold the event loop for long. */
const STEPS_MAX = 4096;

/** What the next component of a path turned out to be. */
type Step =
  | { readonly kind: "entered" }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "end"; readonly as: FileKind; readonly bytes: number };

/**
 * Works out which file `rawPath` names, the way the kernel would, with links resolved by hand.
 *
 * A swap while this runs can make the answer stale, never dangerous: rules judge the path that is returned, and
 * `read` and `write` then walk exactly that path and refuse any link on it.
 */
export function locate(workspace: string, rawPath: string): FileResult<Located> {
  const invalid = pathTextFault(rawPath);
  if (invalid) return invalid;
  try {
    using cursor = new Cursor();
    return walk(cursor, workspace, rawPath);
  } catch (error) {
    return faultFromError(error, "the path");
  }
}

function walk(cursor: Cursor, workspace: string, rawPath: string): FileResult<Located> {
  /** What is still to be walked, the next name last. */
  const pending = componentsOf(rawPath.startsWith("/") ? rawPath : `${workspace}/${rawPath}`).reverse();
  const links: string[] = [];
  let steps = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const label = () => labelFrom(workspace, pathOf(cursor, name));
    steps += 1;
    if (steps > STEPS_MAX) return faultFromErrno("ELOOP", label());
    const step = stepInto(cursor, name, label);
    if (!step.ok) return step;
    if (step.value.kind === "end") {
      const { as: kind, bytes } = step.value;
      const path = pathOf(cursor, name);
      const found =
        pending.length === 0
          ? { path, kind, bytes }
          : ({ path: beyond(path, pending), kind: "unreachable", bytes: 0 } as const);
      return ok(withLinks(found, links));
    }
    if (step.value.kind === "link") {
      links.push(beyond(pathOf(cursor, name), untilUp(pending)));
      if (links.length > LINKS_MAX) return faultFromErrno("ELOOP", label());
      if (step.value.target.startsWith("/")) cursor.goToRoot();
      pending.push(...componentsOf(step.value.target).reverse());
    }
  }
  return ok(withLinks({ path: cursor.path as CheckedPath, kind: "directory", bytes: 0 }, links));
}

/** Behind a link, `..` leads up from what it leads to, so the name of the link ends there. */
const untilUp = (pending: readonly string[]): readonly string[] => pending.slice(pending.lastIndexOf("..") + 1);

const withLinks = (found: Located, links: readonly string[]): Located =>
  links.length === 0 ? found : { ...found, links: [...new Set(links)] };

/**
 * Where the rest of the way would lead, if there were one. The path is judged all the same, and only a call that may
 * touch it is told what stands in its way: a refusal must not tell which folders exist outside of what is allowed.
 */
function beyond(path: CheckedPath, pending: readonly string[]): CheckedPath {
  const names = path.split("/").slice(1);
  for (const name of pending.toReversed()) {
    if (name === "..") names.pop();
    else if (name !== ".") names.push(name);
  }
  return `/${names.join("/")}` as CheckedPath;
}

/** A slash at the end asks for a directory, as does `/.`: one rule for both. */
function componentsOf(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return path.endsWith("/") ? [...names, "."] : names;
}

function pathOf(cursor: Cursor, name: string): CheckedPath {
  const folder = cursor.path === "/" ? "" : cursor.path;
  return (name === "." || name === ".." ? cursor.path : `${folder}/${name}`) as CheckedPath;
}

function stepInto(cursor: Cursor, name: string, label: () => string): FileResult<Step> {
  try {
    if (name === "..") cursor.leave();
    else if (name !== ".") cursor.enter(name);
    return ok({ kind: "entered" });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return ok({ kind: "end", as: "absent", bytes: 0 });
    if (errno === "ENOTDIR") return stepOnto(cursor, name, label);
    if (errno === "EACCES") return ok({ kind: "end", as: "unreachable", bytes: 0 });
    return faultFromError(error, label());
  }
}

/** `name` is something other than a directory. */
function stepOnto(cursor: Cursor, name: string, label: () => string): FileResult<Step> {
  const stats = lstatSync(cursor.at(name));
  if (stats.isDirectory()) return fault("CONFLICT", `${label()} changed while it was looked at`, "repeat the call");
  if (stats.isSymbolicLink()) return linkAt(cursor, name, label);
  if (!stats.isFile() || isKernelMade(cursor.here)) return ok({ kind: "end", as: "other", bytes: 0 });
  return ok({ kind: "end", as: "file", bytes: stats.size });
}

function linkAt(cursor: Cursor, name: string, label: () => string): FileResult<Step> {
  // The kernel jumps through such a link without looking at its text (`/proc/1/root`), and `/proc/self` depends on
  // who asks: neither has a path that a rule could speak about.
  if (isProcfs(cursor.here)) return fault("PATH_INVALID", `${label()} is a link that the kernel makes up`, NAME_IT);
  const target = readlinkSync(cursor.at(name), "buffer");
  // Decoding would replace the wrong bytes and lead to another file than the link does.
  if (!isUtf8(target)) return fault("PATH_INVALID", `${label()} is a link to a name that is not UTF-8`, NAME_IT);
  return ok({ kind: "link", target: target.toString() });
}

const NAME_IT = "name the file itself";
