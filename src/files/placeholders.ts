import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import type { Placeholder } from "../ports/trees.ts";
import { beside, inHeldFolder, type Spot } from "./in-held-folder.ts";

/**
 * A placeholder is a folder that holds nothing but claims: one empty folder for each program that needs it, whichever
 * gate started that. Whoever takes away the last claim takes the placeholder with it, and no sooner: the kernel would
 * lift the cover of a program that still relies on it. Git keeps neither. A claim names its process, so that those of a
 * gate that was killed are known for what they are, and go with the next program that needs the same place.
 */
const CLAIM = /^\.toolgate-(\d+)-(\d+)-(\d+)-\d+(?:-leaving)?$/;
/** Behind the name of a claim: whoever had it looks whether they are the last. */
export const LEAVING = "-leaving";
/** A placeholder that has not got its name yet. */
const DRAFTED = /^(\.toolgate-\d+-\d+-\d+-\d+)-draft$/;
/** In a claim: what is to be the file. */
export const DRAFT = "draft";

/** Between two looks somebody else may have taken it away. */
const TRIES_MAX = 10;
const CLAIMS_MAX = 1000;
/** In another pid namespace nobody can be seen; what is there may be gone, and after so long it is. */
const UNSEEN_MS_MAX = 24 * 60 * 60 * 1000;
/** Who leaves is gone in less than a millisecond; a program may have made up that somebody does. */
const LEAVING_MS_MAX = 10_000;

let claims = 0;

/** Null: something else is there, or it can't be made. */
export const place = (path: string): Placeholder | null => inHeldFolder(path, placeIn);

export const placeIn = (spot: Spot): Placeholder | null => claimed(spot, "alone");

/** The same for a folder that others may put something into while it is there. */
export const placeAround = (path: string): Placeholder | null =>
  inHeldFolder(path, (spot) => claimed(spot, "among others"));

type Company = "alone" | "among others";

function claimed(spot: Spot, company: Company): Placeholder | null {
  const [namespace, started] = [pidNamespace(), startOf(process.pid)];
  if (namespace === null || started === null) return null;
  const name = `.toolgate-${namespace}-${process.pid}-${started}-${++claims}`;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const code = madeWith(spot, name);
    if (code !== null && !IS_THERE.has(code)) return null;
    const placed = inPlace<Placeholder | null>(spot, (held, identity) => {
      const found = code === null ? "placed" : placeholderAt(held, company);
      if (found === "other") return null;
      if (code !== null) mkdirSync(`${held}/${name}`);
      const claim = `${spot.path}/${name}`;
      return { path: spot.path, ...identity, claim, ...(found === "empty" && { isTheirs: true }) };
    });
    if (placed !== "gone") return placed;
  }
  return null;
}

const IS_THERE: ReadonlySet<string> = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR"]);

/**
 * The folder comes with its claim in it: an empty one would be taken for somebody's own by whoever comes in between. A
 * rename takes the place of an empty folder, and of nothing else.
 */
function madeWith(spot: Spot, name: string): string | null {
  const there = codeOf(() => void lstatSync(spot.at));
  if (there !== "ENOENT") return there === null ? "EEXIST" : `not made: ${there}`;
  const draft = beside(spot, `${name}-draft`).at;
  const code =
    codeOf(() => mkdirSync(draft, { mode: 0o755 })) ??
    codeOf(() => mkdirSync(`${draft}/${name}`)) ??
    codeOf(() => renameSync(draft, spot.at));
  if (code !== null) for (const left of [`${draft}/${name}`, draft]) codeOf(() => rmdirSync(left));
  return code;
}

export const unplace = (placed: Placeholder): void => void inHeldFolder(placed.path, (spot) => unplaceIn(spot, placed));

export function unplaceIn(spot: Spot, { dev, ino, claim, isTheirs }: Omit<Placeholder, "path">): void {
  const left = inPlace(spot, (held, identity) => {
    if (identity.dev !== dev || identity.ino !== ino) return "theirs";
    codeOf(() => rmdirSync(`${held}/${nameOf(claim)}`));
    return isTheirs === true ? "theirs" : "ours";
  });
  // Another one's claim keeps it, and so does whatever else came to lie there: then it is not ours any more.
  if (left === "ours") codeOf(() => rmdirSync(spot.at));
}

/** What `use` makes of the folder in that place. Null: it is no folder, or the operating system is against it. */
function inPlace<T>(
  { at }: Spot,
  use: (held: string, identity: Pick<Placeholder, "dev" | "ino">) => T,
): T | null | "gone" {
  try {
    return within(at, (held, fd) => {
      const { dev, ino } = fstatSync(fd, { bigint: true });
      return use(held, { dev, ino });
    });
  } catch (error) {
    return codeFrom(error) === "ENOENT" ? "gone" : null;
  }
}

/**
 * Whether it was only put there. Claims of processes that are gone go at once. An empty folder is somebody's own, or its
 * last claim has gone this moment: it is claimed, so that nobody takes it away meanwhile, and left where it is.
 */
function placeholderAt(path: string, company: Company): "placed" | "empty" | "other" {
  const { names, others } = claimsIn(path, company);
  for (const name of names) if (isAbandoned(path, name)) abandon(`${path}/${name}`);
  if (names.length > 0) return company === "alone" && others ? "other" : "placed";
  return company === "alone" && !others ? "empty" : "other";
}

/** Who was killed before a placeholder had its name has left it under the draft's. */
export function sweepDrafts(folder: string, names: Iterable<string>): void {
  for (const name of names) {
    const claim = DRAFTED.exec(name)?.[1];
    if (claim === undefined) continue;
    inHeldFolder(`${folder}/${name}`, (spot) => {
      if (!isAbandoned(beside(spot, ".").at, name, claim)) return;
      codeOf(() => within(spot.at, (held) => rmdirSync(`${held}/${claim}`)));
      codeOf(() => rmdirSync(spot.at));
    });
  }
}

/** Who was killed while it made a file has left that in its claim. */
function abandon(claim: string): void {
  codeOf(() => within(claim, (held) => unlinkSync(`${held}/${DRAFT}`)));
  codeOf(() => rmdirSync(claim));
}

/** Never by its name: a program that may write there could put a link to somebody's own folder in its place. */
export function within<T>(folder: string, use: (held: string, fd: number) => T): T {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return use(`/proc/self/fd/${fd}`, fd);
  } finally {
    closeSync(fd);
  }
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Alone, the first thing that is none is enough to know, however much there is. */
function claimsIn(path: string, company: Company): { readonly names: readonly string[]; readonly others: boolean } {
  using folder = opendirSync(path);
  const names: string[] = [];
  let others = false;
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
    // Anybody may have given something such a name; there are never that many of ours.
    if (CLAIM.test(entry.name) && entry.isDirectory() && names.length < CLAIMS_MAX) names.push(entry.name);
    else if (company === "alone") return { names: [], others: true };
    else others = true;
  }
  return { names, others };
}

export function isAbandoned(path: string, name: string, claim = name): boolean {
  const [, namespace, pid, started] = CLAIM.exec(claim) ?? [];
  const [isSeen, isLeaving] = [namespace === pidNamespace(), name.endsWith(LEAVING)];
  if (isSeen && startOf(Number(pid)) !== started) return true;
  if (isSeen && !isLeaving) return false;
  const stats = lstatSync(`${path}/${name}`, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  // Of the two times, nobody can set that of the last change.
  return isLeaving ? Math.abs(Date.now() - stats.ctimeMs) > LEAVING_MS_MAX : Date.now() - stats.mtimeMs > UNSEEN_MS_MAX;
}

const pidNamespace = (): string | null => {
  try {
    return /^pid:\[(\d+)\]$/.exec(readlinkSync("/proc/self/ns/pid"))?.[1] ?? null;
  } catch {
    return null;
  }
};

/** When a process started, in ticks since the machine did; null = there is none. Its name may hold spaces and brackets. */
const startOf = (pid: number): string | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
};

/** What the operating system says against it; null = nothing. */
export function codeOf(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return codeFrom(error);
  }
}

const codeFrom = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
