import { isWithin } from "../domain/is-within.ts";
import { type FileTouch, isFileTouch, type Touch, type TouchKind } from "../domain/touch.ts";

/** Something happens that the touches don't name: nobody can say that it leaves anything alone. */
const OPEN: ReadonlySet<TouchKind> = new Set(["exec", "git", "tool", "unknown"]);

export const isOpen = (touches: readonly Touch[]): boolean => touches.some(({ kind }) => OPEN.has(kind));

/**
 * Whether it can matter which of two calls comes first. Decided over canonical paths, as planning found them. In doubt
 * it does matter: an order too many costs time, one too few gives another result.
 */
export const conflict = (a: readonly Touch[], b: readonly Touch[]): boolean =>
  isOpen(a) || isOpen(b) ? a.length > 0 && b.length > 0 : a.some((one) => b.some((other) => clash(one, other)));

function clash(a: Touch, b: Touch): boolean {
  if (isFileTouch(a)) return isFileTouch(b) ? filesClash(a, b) : clashesWithFile(b, a);
  if (isFileTouch(b)) return clashesWithFile(a, b);
  // A request may depend on one before it to the same host. What a model is asked stands in the call.
  return a.kind === "connect" && b.kind === "connect" && a.host === b.host;
}

/** A server on this machine may look at the files that are written here. */
const clashesWithFile = (touch: Touch, file: FileTouch): boolean =>
  touch.kind === "connect" && file.kind !== "read" && isLoopback(touch.host);

const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host.startsWith("127.") || host === "::1";

/** Also a folder and what is in it: a listing tells of its entries, and no file can be where a folder has to be. */
function filesClash(a: FileTouch, b: FileTouch): boolean {
  if (a.kind === "read" && b.kind === "read") return false;
  return isWithin(a.path, b.path) || isWithin(b.path, a.path) || steers(a, b) || steers(b, a);
}

/** Files beside the way to a tree, such as a `.gitignore`, may decide which of it is seen: also one that is only made. */
const steers = (file: FileTouch, { kind, path, tree }: FileTouch): boolean =>
  file.kind !== "read" && kind === "read" && tree === true && isWithin(path, folderOf(file.path));

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
