import { Buffer } from "node:buffer";
import { LIMITS } from "../../domain/limits.ts";
import type { Grant } from "../../domain/plan.ts";
import { isFileTouch, type Touch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";
import { type CheckedPath, type FileResult, type Files, fault, ok } from "../../ports/files.ts";
import type { ProgramName } from "../../ports/program-records.ts";
import type { Mount } from "../../ports/sandbox.ts";
import type { Trees } from "../../ports/trees.ts";
import { grantedPlaces } from "./granted-places.ts";
import type { HeldBack, RunningPrograms } from "./running-programs.ts";
import type { Found, Survey, Surveyed } from "./survey.ts";
import { closedIn } from "./watched-program.ts";

export interface LayoutParts {
  readonly files: Files;
  readonly trees: Trees;
  readonly survey: Survey;
  readonly runningPrograms: RunningPrograms;
  /** The gate's own: programs that look through the whole workspace find it empty, and don't fail over it. */
  readonly stateDir: string;
}

/** What a program sees of the files. Disposing of it lets go of them, and ends the program for `RunningPrograms`. */
export interface Layout extends AsyncDisposable {
  readonly mounts: readonly Mount[];
  /** Whether all unix sockets of this machine that the program would see are covered. */
  readonly areSocketsCovered: boolean;
  /** To be called once nothing of the program runs: what was found at places that are closed to it, and taken away. */
  readonly end: () => Promise<readonly HeldBack[]>;
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
 * INVARIANT (covered): a place that a rule denies and that is there when the program starts is hidden, or can't be changed, moved
 * or replaced, at every depth. What comes to be at such a place later is taken away by `RunningPrograms`.
 */
export async function layout(
  { grant, plan, name }: { readonly grant: Grant; readonly plan: LaidPlan; readonly name: ProgramName },
  parts: LayoutParts,
): Promise<FileResult<Layout>> {
  const { files, trees, runningPrograms, stateDir } = parts;
  const { workspace } = plan;
  await using stack = new AsyncDisposableStack();
  const closed = closedIn(grant, workspace);
  const closedToReading = closedIn({ hide: grant.hide, readOnly: [] }, workspace);

  const granted = await grantedTo(grant, workspace, trees);
  if ("unfound" in granted) return unfound(granted.unfound);
  const places = distinctPlaces([...granted, ...touchedPlaces(plan, trees, stack)]).flatMap(({ path, access }) => {
    const kind = trees.kindOf(path);
    if ((kind !== "file" && kind !== "directory") || closed.hide.matches(path)) return [];
    return [{ path, kind, access: access === "write" && closed.readOnly.matches(path) ? "read" : access } as const];
  });
  const written = places.filter(({ kind, access }) => kind === "directory" && access === "write");
  const toClose = closed.readOnly.isEmpty ? [] : written;
  const begun = await runningPrograms.begin(
    name,
    toClose.map(({ path }) => ({ root: path, hide: grant.hide, readOnly: grant.readOnly })),
    places.map(({ path }) => path),
  );
  if (begun === "too much") return tooMuch(files.shown(written[0]?.path ?? workspace));
  if (begun === "unsettled") return fault("CONFLICT", "other programs make files at places that are closed", AGAIN);
  stack.defer(async () => void (await begun.end()));

  const mounts: Mount[] = [];
  let areSocketsCovered = true;
  for (const place of places) {
    const { path, kind, access } = place;
    const held = await files.hold(path as CheckedPath, kind);
    if (!held.ok) return held;
    stack.use(held.value);
    mounts.push({ kind: "held", held: held.value, access });
    if (kind === "file") continue;
    const found = begun.surveyed[toClose.indexOf(place)] ?? (await parts.survey.of(path, closedToReading));
    if (found === null) return tooMuch(files.shown(path));
    if (found.sockets === null) areSocketsCovered = false;
    const closedFound = await withTargets(path, found, files);
    const covers = coversFor(path, closedFound, access === "write").map((cover) => asEmpty(cover, stateDir));
    if (covers.length > LIMITS.coveredPaths.maximum) return tooMuch(files.shown(path));
    for (const cover of covers) {
      const mount = await mounted(cover, parts, stack);
      if (!mount.ok) return mount;
      mounts.push(mount.value);
    }
  }
  const owned = stack.move();
  return ok({ mounts, areSocketsCovered, end: begun.end, [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

const AGAIN = "repeat the call";

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
  stack: AsyncDisposableStack,
): Promise<FileResult<Mount>> {
  if (cover.kind === "hidden") return ok(cover);
  const { path, access } = cover;
  const kind = trees.kindOf(path);
  const held = kind === "file" || kind === "directory" ? await files.hold(path as CheckedPath, kind) : null;
  if (held?.ok !== true) return fault("CONFLICT", `\`${files.shown(path)}\` changed while it was looked at`, AGAIN);
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

/**
 * Files that the shell itself opens were judged by name. One that it is going to make has to be there before it can be mounted: the
 * gate makes it, as the plan's own write, and takes it away again if nothing was written to it.
 */
function touchedPlaces({ workspace, touches }: LaidPlan, trees: Trees, stack: AsyncDisposableStack): readonly Place[] {
  return touches.filter(isFileTouch).flatMap(({ kind, path, tree, own }): readonly Place[] => {
    if (own === true) return [];
    const isRead = kind === "read" && (tree === true || trees.kindOf(path) === "file");
    if (kind === "read") return isRead ? [{ path, access: "read" }] : [];
    if (trees.kindOf(path) === "absent" && kind === "write") {
      const made = trees.make(path, workspace);
      if (made !== null) stack.defer(() => trees.unmake(made));
    }
    return kind === "write" && trees.kindOf(path) === "file" ? [{ path, access: "write" }] : [];
  });
}

/** Folders before what lies in them; what may be written is not mounted read-only again. */
function distinctPlaces(places: readonly Place[]): readonly Place[] {
  const written = places.filter(({ access }) => access === "write").map(({ path }) => path);
  const byPath = new Map<string, Place>();
  for (const place of places) {
    const isInside = written.some((folder) => place.path !== folder && isBelow(place.path, folder));
    const isKnown = byPath.get(place.path)?.access === "write";
    if (!isInside && !isKnown) byPath.set(place.path, place);
  }
  return [...byPath.values()].sort(
    (a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1),
  );
}

/**
 * A link can't be covered by a mount, and a program that follows one reads and writes what it leads to. So what a link with a closed name
 * leads to is closed as well, as far as it lies in the same tree: the strictest of both names holds.
 */
async function withTargets(root: string, found: Surveyed, files: Files): Promise<Surveyed> {
  const targetsOf = async (places: readonly Found[]): Promise<readonly Found[]> => {
    const targets: Found[] = [];
    for (const { path } of places.filter(({ kind }) => kind === "link")) {
      const located = await files.locate(path);
      if (!located.ok || !isBelow(located.value.path, root)) continue;
      const { kind } = located.value;
      if (kind === "file" || kind === "directory" || kind === "other") targets.push({ path: located.value.path, kind });
    }
    return [...places, ...targets];
  };
  const [hidden, readOnly] = [await targetsOf(found.hidden), await targetsOf(found.readOnly)];
  return { ...found, hidden, readOnly };
}

/** As long as the kernel takes a path (PATH_MAX, with its end): no longer one can be mounted. */
const MOUNTED_PATH_MAX = 4095;

function coversFor(root: string, found: Surveyed, isWritten: boolean): readonly Cover[] {
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
    const isCoverable = (kind === "file" || kind === "directory") && Buffer.byteLength(path) <= MOUNTED_PATH_MAX;
    const kept = isCoverable ? path : folderAbove(path);
    keep(kept, "read");
    anchor(kept);
  };
  if (isWritten) {
    for (const one of found.readOnly) keepAll(one);
    for (const path of found.unreadable) keepAll({ path, kind: "directory" });
  }
  for (const { path, kind } of found.hidden) {
    // A folder that holds something hidden can't be moved away: the next call would find it under another name.
    if (isWritten) anchor(path);
    if (kind !== "link") mounts.set(path, { kind: "hidden", path, as: kind === "directory" ? "directory" : "file" });
  }
  // A program that sees the socket of a database, an agent or a container engine could connect to it.
  for (const path of found.sockets ?? []) mounts.set(path, { kind: "hidden", path, as: "file" });
  return [...mounts.values()].sort(byDepth).filter((mount) => !isInsideKept(mount, mounts));
}

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

const folderAbove = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
const isBelow = (path: string, folder: string): boolean => path.startsWith(folder === "/" ? "/" : `${folder}/`);
