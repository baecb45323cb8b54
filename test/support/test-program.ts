import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Building, builtOnce, filesBelow, placesFor, ROOT } from "./built-once.ts";

const PROGRAMS: Building = {
  // What a program imports is no suite, and may be beside one.
  sources: () => [
    ...filesBelow("src"),
    ...filesBelow("test").filter((path) => /(?<!\.test|\.deep)\.ts$/.test(path)),
    "scripts/build-test-programs.mjs",
  ],
  make: (folder) =>
    void execFileSync(process.execPath, ["scripts/build-test-programs.mjs", folder], { cwd: ROOT, stdio: "pipe" }),
};

let built: string | undefined;

/** The path of a program of `test/programs`, as one file of JavaScript: it starts in a third of the time. */
export function testProgram(name: `${string}.ts`): string {
  built ??= builtOnce(PROGRAMS, placesFor("toolgate-test-programs"));
  return join(built, name.replace(/ts$/, "js"));
}
