import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Where it finds the packages that it does not bring along. */
const BUILT = join(ROOT, "node_modules/.cache/toolgate-built");

const DAY_MS = 86_400_000;

/** `bin/toolgate.js` of a package as it is published, of these sources: it starts in a third of the time that they take. */
export const BUILT_PROGRAM = join(built(), "bin/toolgate.js");

function built(): string {
  const folder = join(BUILT, digestOfSources());
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  mkdirSync(BUILT, { recursive: true });
  const making = mkdtempSync(join(BUILT, "making-"));
  try {
    execFileSync(process.execPath, ["scripts/build.mjs", join(making, "dist")], { cwd: ROOT, stdio: "pipe" });
    mkdirSync(join(making, "bin"));
    for (const name of ["package.json", "bin/toolgate.js"]) copyFileSync(join(ROOT, name), join(making, name));
    // Whole or not there; and who comes second to it has made the same.
    renameSync(making, folder);
    removeOld();
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
}

/** What nobody has used for a day. */
function removeOld(): void {
  for (const name of readdirSync(BUILT)) {
    const path = join(BUILT, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

function digestOfSources(): string {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const digest = createHash("sha256");
  for (const path of [
    ...sources,
    ...["package.json", "bin/toolgate.js", "scripts/build.mjs"].map((name) => ROOT + name),
  ]) {
    digest
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return digest.digest("hex");
}
