import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUILT_PROGRAM } from "./built-program.ts";

/** What programs of earlier tests have compiled. */
const COMPILED = join(dirname(BUILT_PROGRAM), "../compiled");

const codeOf = (stateHome: string) => join(stateHome, "toolgate/trusted-code");

/** Before a program is run for a user who has never run it: then it starts in half of the time, as for all others. */
export const lendCode = (stateHome: string): void => share(COMPILED, codeOf(stateHome));

/** When it is over: what is new is lent to the next. */
export const keepCode = (stateHome: string): void => share(codeOf(stateHome), COMPILED);

/** By links: files of code are never written to, but put in the place of others. */
function share(from: string, to: string): void {
  for (const folder of ["", ...names(from, "folder")]) {
    tried(() => mkdirSync(join(to, folder), { recursive: true, mode: 0o700 }));
    for (const name of names(join(from, folder), "file"))
      tried(() => linkSync(join(from, folder, name), join(to, folder, name)));
  }
}

/** Only those that are whole: drafts have another ending. */
function names(folder: string, kind: "file" | "folder"): readonly string[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true });
    const wanted = found.filter((entry) =>
      kind === "folder" ? entry.isDirectory() : /^([a-z]+-[0-9a-f]+\.code|[0-9a-f]+)$/.test(entry.name),
    );
    return wanted.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** What is there already, or can't be lent (another user has built the program), the program compiles itself. */
function tried(make: () => void): void {
  try {
    make();
  } catch {
    // as if nobody had run it before
  }
}
