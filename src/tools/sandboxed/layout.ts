import { LIMITS } from "../../domain/limits.ts";
import type { Grant } from "../../domain/plan.ts";
import { isFileTouch, type Touch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";
import { type CheckedPath, type FileResult, type Files, fault, ok } from "../../ports/files.ts";
import type { Mount } from "../../ports/sandbox.ts";
import type { Placeholder, Trees } from "../../ports/trees.ts";
import { closedPlaces } from "./closed-places.ts";
import { grantedPlaces } from "./granted-places.ts";
import type { Found, Survey, Surveyed } from "./survey.ts";

export interface LayoutParts {
  readonly files: Files;
  readonly trees: Trees;
  readonly survey: Survey;
  /** The gate's own: programs that look through the whole workspace find it empty, and don't fail over it. */
  readonly stateDir: string;
}

/** What a program sees of the files. Disposing of it lets go of them, and takes away what was only put there. */
export interface Layout extends Disposable {
  readonly mounts: readonly Mount[];
}

/** What of a plan the files depend on. */
interface LaidPlan {
  readonly workspace: string;
  readonly touches: readonly Touch[];
}

type Cover =
  | { readonly kind: "kept"; readonly path: string; readonly access: "read" | "write" }
  | Extract<Mount, { kind: "hidden" }>;

interface Place {
  readonly path: string;
  readonly access: "read" | "write";
}

/**
 * From the sealed grant to mounts: what is granted, with what is closed inside of it covered.
 * INVARIANT (covered): a place that a rule denies is hidden, or can't be changed, moved or made, wherever it is known to
 * lie; a place that nobody can know beforehand (a new folder's own `.git/hooks`) is bounded by the grant alone.
 */
export async function layout(
  { grant, plan }: { readonly grant: Grant; readonly plan: LaidPlan },
  parts: LayoutParts,
): Promise<FileResult<Layout>> {
  const { files, trees, survey, stateDir } = parts;
  const { workspace } = plan;
  using stack = new DisposableStack();
  const closed = { hide: closedPlaces(grant.hide, workspace), readOnly: closedPlaces(grant.readOnly, workspace) };
  const key = JSON.stringify([grant.hide, grant.readOnly]);
  const none = closedPlaces([], workspace);
  const mounts: Mount[] = [];

  const granted = await grantedTo(grant, workspace, trees);
  if ("unfound" in granted) return unfound(granted.unfound);
  const places = distinctPlaces([...granted, ...touchedPlaces(plan, trees, stack)]);
  for (const place of places) {
    const kind = trees.kindOf(place.path);
    if ((kind !== "file" && kind !== "directory") || closed.hide.matches(place.path)) continue;
    const access = place.access === "write" && closed.readOnly.matches(place.path) ? "read" : place.access;
    const held = await files.hold(place.path as CheckedPath, kind);
    if (!held.ok) return held;
    stack.use(held.value);
    mounts.push({ kind: "held", held: held.value, access });
    if (kind === "file") continue;
    const isWritten = access === "write";
    const inside = { hide: closed.hide, readOnly: isWritten ? closed.readOnly : none };
    if (inside.hide.isEmpty && inside.readOnly.isEmpty) continue;
    const found = await survey.of(place.path, inside, `${access}${key}`);
    if (found === null) return tooMuch(files.shown(place.path));
    const covers = coversFor(place.path, found, isWritten, trees, stack).map((cover) => asEmpty(cover, stateDir));
    if (covers.length > LIMITS.coveredPaths.maximum) return tooMuch(files.shown(place.path));
    for (const cover of covers) {
      const mount = await mounted(cover, parts, stack);
      if (!mount.ok) return mount;
      mounts.push(mount.value);
    }
  }
  const owned = stack.move();
  return ok({ mounts, [Symbol.dispose]: () => owned[Symbol.dispose]() });
}

const tooMuch = (shown: string): FileResult<never> =>
  fault("FILE_TOO_LARGE", `\`${shown}\` holds more than can be kept apart for a program`, "grant a smaller part of it");

const unfound = (pattern: string): FileResult<never> =>
  fault(
    "FILE_TOO_LARGE",
    `the grant ${quoted(pattern)} stands for files among more than can be looked through`,
    "write the folder that they lie in before the first wildcard",
  );

/** Of any other folder the operator says that it is closed, and what is tracked there by git is not to seem deleted. */
const asEmpty = (cover: Cover, stateDir: string): Cover =>
  cover.kind === "hidden" && cover.as === "directory" && cover.path === stateDir ? { ...cover, as: "empty" } : cover;

/** What a cover is going to be a mount of is held from now on: its name may lead elsewhere a moment later. */
async function mounted(
  cover: Cover,
  { files, trees }: LayoutParts,
  stack: DisposableStack,
): Promise<FileResult<Mount>> {
  if (cover.kind === "hidden") return ok(cover);
  const { path, access } = cover;
  const kind = trees.kindOf(path);
  const held = kind === "file" || kind === "directory" ? await files.hold(path as CheckedPath, kind) : null;
  if (held?.ok !== true)
    return fault("CONFLICT", `\`${files.shown(path)}\` changed while it was looked at`, "repeat the call");
  return ok({ kind: "kept", held: stack.use(held.value), access });
}

/** Or the pattern that there is too much to look through for. */
async function grantedTo(
  grant: Grant,
  workspace: string,
  trees: Trees,
): Promise<readonly Place[] | { readonly unfound: string }> {
  const places: Place[] = [];
  for (const access of ["read", "write"] as const) {
    for (const text of grant[access]) {
      const paths = await grantedPlaces(text, workspace, trees);
      if (paths === null) return { unfound: text };
      for (const path of paths) places.push({ path, access });
    }
  }
  return places;
}

/** Files that the shell itself opens were judged by name. One that is to be made has to be there before it is mounted. */
function touchedPlaces({ touches }: LaidPlan, trees: Trees, stack: DisposableStack): readonly Place[] {
  return touches.filter(isFileTouch).flatMap(({ kind, path, tree }): readonly Place[] => {
    const isRead = kind === "read" && (tree === true || trees.kindOf(path) === "file");
    if (kind === "read") return isRead ? [{ path, access: "read" }] : [];
    if (trees.kindOf(path) === "absent" && kind === "write") {
      const placed = trees.make(path);
      if (placed !== null) stack.defer(() => trees.unmake(placed));
    }
    return kind === "write" && trees.kindOf(path) === "file" ? [{ path, access: "write" }] : [];
  });
}

/** Folders before what lies in them; what may be written is not mounted read-only again. */
function distinctPlaces(places: readonly Place[]): readonly Place[] {
  const written = places.filter(({ access }) => access === "write").map(({ path }) => path);
  const byPath = new Map<string, Place>();
  for (const place of places) {
    const isInside = written.some((folder) => place.path !== folder && isWithin(place.path, folder));
    const isKnown = byPath.get(place.path)?.access === "write";
    if (!isInside && !isKnown) byPath.set(place.path, place);
  }
  return [...byPath.values()].sort(
    (a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1),
  );
}

function coversFor(
  root: string,
  found: Surveyed,
  isWritten: boolean,
  trees: Trees,
  stack: DisposableStack,
): readonly Cover[] {
  const mounts = new Map<string, Cover>();
  const keep = (path: string, access: "read" | "write"): void => {
    const known = mounts.get(path);
    if (known?.kind === "kept" && known.access === "read") return;
    mounts.set(path, { kind: "kept", path, access });
  };
  /** What lies over a covered place could be moved away with it, and another put there: so it is a mount itself. */
  const anchor = (path: string): void => {
    for (let at = folderAbove(path); at.length > root.length; at = folderAbove(at))
      if (!mounts.has(at)) keep(at, "write");
  };
  const keepAll = ({ path, kind }: Found): void => {
    // A link can't be covered, and what it leads to is another matter: the folder that holds it is kept as it is.
    const kept = kind === "link" || kind === "other" ? folderAbove(path) : path;
    keep(kept, "read");
    anchor(kept);
  };
  const owe = (placed: Placeholder | null): void => {
    if (placed !== null) stack.defer(() => trees.unplace(placed));
  };
  /** The folders above it that were put there for it, or have to be; they go after it. */
  const holdAbove = (path: string): void => {
    for (const folder of foldersBetween(root, path)) owe(trees.placeAround(folder));
  };
  const owePlaced = (placed: Placeholder | null): void => {
    owe(placed);
    if (placed?.claims !== undefined) keepAll({ path: placed.claims, kind: "directory" });
  };
  /** What another call has put there goes with that call, unless this one holds it as well. */
  const hold = (path: string): void => {
    const placed = trees.place(path);
    if (placed !== null) holdAbove(path);
    owePlaced(placed);
  };
  if (isWritten) {
    for (const path of found.lacking) {
      holdAbove(path);
      owePlaced(trees.place(path));
      keepAll(placedOrAbove(root, path, trees));
    }
    for (const one of found.readOnly) {
      if (one.kind === "directory" || MAY_BE_PLACED.test(one.path)) hold(one.path);
      keepAll(one);
    }
  }
  for (const { path, kind } of found.hidden) {
    // What is hidden may be closed to writing, too, and then another call may have put it there.
    if (isWritten && kind === "directory") hold(path);
    // A folder that holds something hidden can't be moved away: the next call would find it under another name.
    if (isWritten) anchor(path);
    // Pipes and sockets, too: where unix sockets are let through, whoever sees one may connect to it.
    if (kind !== "link") mounts.set(path, { kind: "hidden", path, as: kind === "directory" ? "directory" : "file" });
  }
  return [...mounts.values()].sort(byDepth).filter((mount) => !isInsideKept(mount, mounts));
}

/** Where nothing can be put, as in a repository that is read-only, the folder that it would be in is kept as it is. */
function placedOrAbove(root: string, path: string, trees: Trees): Found {
  const kind = trees.kindOf(path);
  if (kind === "absent" && path.length > root.length) return placedOrAbove(root, folderAbove(path), trees);
  return { path, kind: kind === "link" ? "link" : "directory" };
}

/** Files that may have been put there by another call. */
const MAY_BE_PLACED = /\/(?:commondir|config\.worktree)$/;

const byDepth = (a: Cover, b: Cover): number => a.path.split("/").length - b.path.split("/").length;

/** What lies in a folder that is read-only as a whole needs no cover of its own, unless it is hidden. */
function isInsideKept(mount: Cover, mounts: ReadonlyMap<string, Cover>): boolean {
  if (mount.kind === "hidden") return false;
  for (let at = folderAbove(mount.path); at !== "/"; at = folderAbove(at)) {
    const above = mounts.get(at);
    if (above?.kind === "kept" && above.access === "read") return true;
  }
  return false;
}

/** From the top down, without the two. */
function foldersBetween(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folderAbove(path); at.length > root.length; at = folderAbove(at)) folders.unshift(at);
  return folders;
}

const folderAbove = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
const isWithin = (path: string, folder: string): boolean => path.startsWith(folder === "/" ? "/" : `${folder}/`);
