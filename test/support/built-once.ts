import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What tests run and do not want to build anew each time. */
export interface Building {
  /** Paths of all that it is made from, below the root. */
  readonly sources: () => readonly string[];
  /** Makes it in an empty folder. */
  readonly make: (folder: string) => void;
}

const DAY_MS = 86_400_000;

/** Beside the packages that it does not bring along; where nothing can be written there, in a folder of this user's own. */
export const placesFor = (name: string): readonly string[] => [
  join(ROOT, "node_modules/.cache", name),
  join(tmpdir(), `${name}-${process.getuid?.()}`),
];

/** All files below a folder, by their paths below the root. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length))
    .sort();

/** Its folder in the first of these places that it is in or can be made in, made of the sources as they are now. */
export function builtOnce(building: Building, [place = "", ...others]: readonly string[]): string {
  try {
    return builtAt(building, place);
  } catch (error) {
    if (others.length === 0) throw error;
    return builtOnce(building, others);
  }
}

function builtAt({ sources, make }: Building, place: string): string {
  mkdirSync(place, { recursive: true, mode: 0o755 });
  // What lies here is run: a folder that somebody else could have filled is none for it.
  const { uid, mode } = lstatSync(place);
  if ((mode & 0o170022) !== 0o040000 || ![0, process.getuid?.()].includes(uid)) throw new Error(`${place} is not ours`);
  const folder = join(place, digestOf(sources()));
  if (existsSync(folder)) {
    touch(folder);
    return folder;
  }
  const making = mkdtempSync(join(place, "making-"));
  try {
    make(making);
    if (!place.startsWith(ROOT)) symlinkSync(join(ROOT, "node_modules"), join(making, "node_modules"));
    chmodSync(making, 0o755);
    // Whole or not there; and who comes second to it has made the same.
    renameSync(making, folder);
    removeOld(place);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
}

/** So that it is not old. That of another user stays as old as it is. */
function touch(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // It is whole all the same.
  }
}

/** What nobody has used for a day. Under another name first: half of it must never be taken for the whole. */
function removeOld(place: string): void {
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs <= DAY_MS) continue;
    const going = join(mkdtempSync(join(place, "making-")), "old");
    renameSync(path, going);
    rmSync(join(going, ".."), { recursive: true, force: true });
  }
}

/** Also of the packages that are built into it, the Node whose modules are looked at, and where it is. */
function digestOf(sources: readonly string[]): string {
  const digest = createHash("sha256").update(`${process.version}\0${ROOT}\0`);
  for (const path of ["package.json", "package-lock.json", "tsconfig.json", ...sources]) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(ROOT + path))
      .update("\0");
  }
  return digest.digest("hex");
}
