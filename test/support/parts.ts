import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const SHARED = fileURLToPath(new URL("../../../shared", import.meta.url));

type Suite<Given extends unknown[] = []> = (title: string, body: (...given: Given) => void) => void;

/**
 * `needs("bwrap")("runs in a sandbox", () => { … })`: `describe` where the programs are installed. Elsewhere the suite
 * is skipped and its title says why; under CI it fails, because a CI that skips the sandbox checks nothing.
 */
export function needs(...programs: readonly string[]): Suite {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return (title, body) => describe(title, body);
  const reason = `needs ${missing.join(", ")}, not installed here`;
  return process.env["CI"] ? failed(reason) : skipped(reason);
}

/**
 * The lines of `../shared/corpora/<file>`, or null where that folder does not exist (a clone elsewhere).
 * @public
 */
export function corpus<Line>(file: string): Line[] | null {
  const folder = join(SHARED, "corpora");
  if (!existsSync(folder)) return null;
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line): Line => JSON.parse(line));
}

/**
 * The path of `../shared/data/<name>`, or null where it does not exist.
 * @public
 */
export function sharedData(name: string): string | null {
  const path = join(SHARED, "data", name);
  return existsSync(path) ? path : null;
}

/** `withSeed("000")("title", (text) => { … })`: the suite over a text of `../shared/seeds`, skipped where it is missing. */
export function withSeed(number: string): Suite<[string]> {
  const folder = join(SHARED, "seeds");
  const name = existsSync(folder) ? readdirSync(folder).find((each) => each.startsWith(`${number}_`)) : undefined;
  if (name === undefined) return skipped(`../shared/seeds/${number}_… is missing`);
  const text = readFileSync(join(folder, name), "utf8");
  return (title, body) => describe(title, () => body(text));
}

/** `withCorpus<Case>("x.jsonl")("title", (cases) => { … })`: the suite over that corpus, skipped where it is missing. */
export function withCorpus<Line>(file: string): Suite<[Line[]]> {
  const lines = corpus<Line>(file);
  if (lines === null) return skipped(`../shared/corpora/${file} is missing`);
  return (title, body) => describe(title, () => body(lines));
}

/** `withSharedData("merkle")("title", (folder) => { … })`: the same for a folder of `../shared/data`. */
export function withSharedData(name: string): Suite<[string]> {
  const path = sharedData(name);
  if (path === null) return skipped(`../shared/data/${name} is missing`);
  return (title, body) => describe(title, () => body(path));
}

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The body is not run, since what it needs is not there; a suite must hold a test, so this one holds an empty one. */
function skipped(reason: string): Suite<never[]> {
  return (title) => describe.skip(`${title} (skipped: ${reason})`, () => void it("is skipped", () => {}));
}

function failed(reason: string): Suite<never[]> {
  return (title) =>
    describe(
      title,
      () =>
        void it("has what it needs", () => {
          throw new Error(reason);
        }),
    );
}
