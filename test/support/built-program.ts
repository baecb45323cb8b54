import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Building, builtOnce, filesBelow, placesFor, ROOT } from "./built-once.ts";

/** A package as it is published. */
const PACKAGE: Building = {
  sources: () => [...filesBelow("src"), "bin/toolgate.js", "scripts/build.mjs"],
  make: (folder) => {
    execFileSync(process.execPath, ["scripts/build.mjs", join(folder, "dist")], { cwd: ROOT, stdio: "pipe" });
    mkdirSync(join(folder, "bin"));
    for (const name of ["package.json", "bin/toolgate.js"]) copyFileSync(join(ROOT, name), join(folder, name));
  },
};

/** The package in the first of these places that it is in or can be made in. */
export const builtIn = (places: readonly string[]): string => builtOnce(PACKAGE, places);

/** `bin/toolgate.js` of a package as it is published, of these sources: it starts in a third of the time that they take. */
export const BUILT_PROGRAM = join(builtIn(placesFor("toolgate-built")), "bin/toolgate.js");
