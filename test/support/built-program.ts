import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
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

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Beside the packages that it does not bring along; where nothing can be written there, in a folder of this user's own. */
const PLACES = [
  join(ROOT, "node_modules/.cache/toolgate-built"),
  join(tmpdir(), `toolgate-built-${process.getuid?.()}`),
];

/** What it is made from, beside `src`. */
const OTHERS = ["package.json", "package-lock.json", "tsconfig.json", "bin/toolgate.js", "scripts/build.mjs"];

const DAY_MS = 86_400_000;

/** `bin/toolgate.js` of a package as it is published, of these sources: it starts in a third of the time that they take. */
export const BUILT_PROGRAM = join(builtIn(PLACES), "bin/toolgate.js");

/** The package in the first of these places that it is in or can be made in. */
export function builtIn([place = "", ...others]: readonly string[]): string {
  try {
    return builtAt(place);
  } catch (error) {
    if (others.length === 0) throw error;
    return builtIn(others);
  }
}

function builtAt(place: string): string {
  mkdirSync(place, { recursive: true, mode: 0o755 });
  // What lies here is run: a folder that somebody else could have filled is none for it.
  const { uid, mode } = lstatSync(place);
  if ((mode & 0o170022) !== 0o040000 || ![0, process.getuid?.()].includes(uid)) throw new Error(`${place} is not ours`);
  const folder = join(place, digestOfSources());
  if (existsSync(folder)) {
    touch(folder);
    return folder;
  }
  const making = mkdtempSync(join(place, "making-"));
  try {
    execFileSync(process.execPath, ["scripts/build.mjs", join(making, "dist")], { cwd: ROOT, stdio: "pipe" });
    mkdirSync(join(making, "bin"));
    for (const name of ["package.json", "bin/toolgate.js"]) copyFileSync(join(ROOT, name), join(making, name));
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

/** What it is made from: also the packages that are built into it, the Node whose modules are looked at, and where it is. */
function digestOfSources(): string {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const digest = createHash("sha256").update(`${process.version}\0${ROOT}\0`);
  for (const path of [...sources, ...OTHERS.map((name) => ROOT + name)]) {
    digest
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return digest.digest("hex");
}
