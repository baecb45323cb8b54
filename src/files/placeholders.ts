import { lstatSync, mkdirSync, opendirSync, readFileSync, readlinkSync, rmdirSync, statSync } from "node:fs";
import type { Placeholder } from "../ports/trees.ts";

/**
 * A placeholder is a folder that holds nothing but claims: one empty folder for each program that needs it, whichever
 * gate started that. Whoever takes away the last claim takes the placeholder with it, and no sooner: the kernel would
 * lift the cover of a program that still relies on it. Git keeps neither. A claim names its process, so that those of a
 * gate that was killed are known for what they are, and go with the next program that needs the same place.
 */
const CLAIM = /^\.toolgate-(\d+)-(\d+)-(\d+)-\d+$/;

/** Between two looks somebody else may have taken it away. */
const TRIES_MAX = 10;
/** In another pid namespace nobody can be seen; what is there may be gone, and after so long it is. */
const UNSEEN_MS_MAX = 24 * 60 * 60 * 1000;

let claims = 0;

/** Null: something else is there, or it can't be made. */
export function place(path: string): Placeholder | null {
  const [namespace, started] = [pidNamespace(), startOf(process.pid)];
  if (namespace === null || started === null) return null;
  const claim = `${path}/.toolgate-${namespace}-${process.pid}-${started}-${++claims}`;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const made = codeOf(() => mkdirSync(path, { mode: 0o755 }));
    if (made !== null && (made !== "EEXIST" || !isPlaceholder(path))) return null;
    const claimed = codeOf(() => mkdirSync(claim));
    if (claimed === null) return identified(path, claim);
    if (claimed !== "ENOENT") return null;
  }
  return null;
}

export function unplace({ path, dev, ino, claim }: Placeholder): void {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.dev !== dev || stats.ino !== ino) return;
  codeOf(() => rmdirSync(claim));
  // Another one's claim keeps it, and so does whatever else came to lie there: then it is not ours any more.
  codeOf(() => rmdirSync(path));
}

/** Whether it was only put there. Claims of processes that are gone go at once. */
function isPlaceholder(path: string): boolean {
  try {
    if (!lstatSync(path).isDirectory()) return false;
    const names = claimsIn(path);
    for (const name of names) if (isAbandoned(path, name)) codeOf(() => rmdirSync(`${path}/${name}`));
    return names.length > 0;
  } catch {
    return true; // it has gone meanwhile: look again
  }
}

/** None where there is anything else: that is found at once, however much there is. */
function claimsIn(path: string): readonly string[] {
  using folder = opendirSync(path);
  const names: string[] = [];
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
    if (!CLAIM.test(entry.name)) return [];
    names.push(entry.name);
  }
  return names;
}

function isAbandoned(path: string, name: string): boolean {
  const [, namespace, pid, started] = CLAIM.exec(name) ?? [];
  if (namespace === pidNamespace()) return startOf(Number(pid)) !== started;
  return Date.now() - statSync(`${path}/${name}`).mtimeMs > UNSEEN_MS_MAX;
}

function identified(path: string, claim: string): Placeholder | null {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return { path, dev, ino, claim };
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
function codeOf(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}
