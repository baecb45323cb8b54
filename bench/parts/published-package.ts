import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scratch } from "./scratch.ts";

export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm run build` reads. */
const SOURCES = ["bin", "package.json", "scripts", "src", "tsconfig.build.json", "tsconfig.json"];

/** The package as npm would install it: `bin/` and what its own build makes, no `src/`. Gives the path of its command. */
export function publishedCommand(scratch: Scratch): string {
  const folder = scratch.makeFolder("package");
  for (const name of SOURCES) {
    if (existsSync(join(CHECKOUT, name))) cpSync(join(CHECKOUT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  execFileSync("npm", ["run", "--silent", "build"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  rmSync(join(folder, "src"), { recursive: true }); // or the command would run it by type stripping
  return join(folder, "bin/toolgate.js");
}
