import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import type { Placeholder } from "../ports/trees.ts";

/**
 * A placeholder is a folder that holds nothing but claims: one empty folder for each program that needs it, whichever
 * gate started that. Whoever takes away the last claim takes the placeholder with it, and no sooner: the kernel would
 * lift the cover of a program that still relies on it. Git keeps neither. A claim names its process, so that those of a
 * gate that was killed are known for what they are, and go with the next program that needs the same place.
 */
const CLAIM = /^\.toolgate-(\d+)-(\d+)-(\d+)-\d+(?:-leaving)?$/;
/** Behind the name of a claim: whoever had it looks whether they are the last. */
export const LEAVING = "-leaving";
/** In a claim: what is to be the file. */
export const DRAFT = "draft";

/** Between two looks somebody else may have taken it away. */
const TRIES_MAX = 10;
const CLAIMS_MAX = 1000;
/** In another pid namespace nobody can be seen; what is there may be gone, and after so long it is. */
const UNSEEN_MS_MAX = 24 * 60 * 60 * 1000;

let claims = 0;

/** Null: something else is there, or it can't be made. */
export const place = (path: string): Placeholder | null => claimed(path, "alone");

/** The same for a folder that others may put something into while it is there. */
export const placeAround = (path: string): Placeholder | null => claimed(path, "among others");

type Company = "alone" | "among others";

function claimed(path: string, company: Company): Placeholder | null {
  const [namespace, started] = [pidNamespace(), startOf(process.pid)];
  if (namespace === null || started === null) return null;
  const name = `.toolgate-${namespace}-${process.pid}-${started}-${++claims}`;
  const claim = `${path}/${name}`;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const made = madeWith(path, name);
    if (made === null) return identified(path, claim);
    if (!IS_THERE.has(made)) return null;
    const found = placeholderAt(path, company);
    if (found === "other") return null;
    const code = codeOf(() => mkdirSync(claim));
    if (code === null) return identified(path, claim, found);
    if (code !== "ENOENT") return null;
  }
  return null;
}

const IS_THERE: ReadonlySet<string> = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR"]);

/**
 * The folder comes with its claim in it: an empty one would be taken for somebody's own by whoever comes in between. A
 * rename takes the place of an empty folder, and of nothing else.
 */
function madeWith(path: string, name: string): string | null {
  const there = codeOf(() => void lstatSync(path));
  if (there !== "ENOENT") return there === null ? "EEXIST" : `not made: ${there}`;
  const draft = `${path.slice(0, path.lastIndexOf("/"))}/${name}-draft`;
  const code =
    codeOf(() => mkdirSync(draft, { mode: 0o755 })) ??
    codeOf(() => mkdirSync(`${draft}/${name}`)) ??
    codeOf(() => renameSync(draft, path));
  if (code !== null) for (const left of [`${draft}/${name}`, draft]) codeOf(() => rmdirSync(left));
  return code;
}

export function unplace({ path, dev, ino, claim, isTheirs }: Placeholder): void {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.dev !== dev || stats.ino !== ino) return;
  codeOf(() => rmdirSync(claim));
  // Another one's claim keeps it, and so does whatever else came to lie there: then it is not ours any more.
  if (isTheirs !== true) codeOf(() => rmdirSync(path));
}

/**
 * Whether it was only put there. Claims of processes that are gone go at once. An empty folder is somebody's own, or its
 * last claim has gone this moment: it is claimed, so that nobody takes it away meanwhile, and left where it is.
 */
function placeholderAt(path: string, company: Company): "placed" | "empty" | "other" {
  try {
    if (!lstatSync(path).isDirectory()) return "other";
    const { names, others } = claimsIn(path, company);
    for (const name of names) if (isAbandoned(path, name)) abandon(`${path}/${name}`);
    if (names.length > 0) return company === "alone" && others ? "other" : "placed";
    return company === "alone" && !others ? "empty" : "other";
  } catch {
    return "placed"; // it has gone meanwhile: look again
  }
}

/** Who was killed while it made a file has left that in its claim. */
function abandon(claim: string): void {
  codeOf(() => within(claim, (held) => unlinkSync(`${held}/${DRAFT}`)));
  codeOf(() => rmdirSync(claim));
}

/** Never by the claim's name: a program that may write there could put a link to somebody's own folder in its place. */
export function within(claim: string, use: (held: string) => void): void {
  const fd = openSync(claim, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    use(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

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

function isAbandoned(path: string, name: string): boolean {
  const [, namespace, pid, started] = CLAIM.exec(name) ?? [];
  if (namespace === pidNamespace()) return startOf(Number(pid)) !== started;
  return Date.now() - statSync(`${path}/${name}`).mtimeMs > UNSEEN_MS_MAX;
}

function identified(path: string, claim: string, found: "placed" | "empty" = "placed"): Placeholder | null {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return { path, dev, ino, claim, ...(found === "empty" && { isTheirs: true }) };
  } catch {
    return null;
  }
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
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}
