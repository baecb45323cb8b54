import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { isWithin } from "../domain/is-within.ts";
import type { NamedProgram, OperatorCode } from "../domain/operator-code.ts";
import { compilePathPattern } from "../rules/path-pattern.ts";
import { pathsOf } from "./named-file.ts";
import { errorCode } from "./system-error.ts";

const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|bash|sh|dash|zsh|java)$/;
const PACKAGE_RUNNERS = new Set(["npx", "pnpx", "bunx", "npm", "pnpm", "yarn"]);
const UV_RUNNERS = new Set(["uvx", "uv", "pipx"]);
const CODE_ENDS = new Set(
  ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "py", "pyw", "pyz", "rb", "pl", "php", "lua", "sh", "bash"]
    .concat(["zsh", "jar", "wasm", "node", "so"])
    .map((end) => `.${end}`),
);
/** Files that make their folder a program. */
const ENTRIES = ["package.json", "pyproject.toml", "__main__.py", "index.js", "setup.py"];
/** A word that may be a path although no file is there yet. */
const PATH_LIKE = /^(?:[\w@.+~-]*\/[\w@.+~/-]{1,1000}|\w[\w@+~-]{0,100}\.\w{1,10})$/;
/** Files that are followed from one file of the program. More are not one program's own. */
const IMPORTED_MAX = 500;
const SOURCE_BYTES_MAX = 2_000_000;

/**
 * The files and folders that a program of the operator (an upstream, a governor) is made of, as far as they are named on
 * its command line or found from there. Its package where it has one, else the file with all that it imports by relative
 * paths; of a package runner the installed package. What it may write itself is its data.
 */
export function operatorCode(program: NamedProgram, workspace: string): OperatorCode {
  const found = new FoundCode(program, workspace);
  for (const { path, isCode } of namedPaths(program)) found.add(path, isCode);
  const runner = basename(program.command);
  if (PACKAGE_RUNNERS.has(runner)) found.addPackages(program.args);
  if (PACKAGE_RUNNERS.has(runner)) found.obeyed("package.json", ".npmrc");
  if (UV_RUNNERS.has(runner)) found.obeyed("pyproject.toml", "uv.toml");
  const module = program.args[program.args.indexOf("-m") + 1];
  if (runner.startsWith("py") && program.args.includes("-m") && module !== undefined) found.addModule(module);
  return found;
}

/** The words that name something: without options, but with the values that are written to them by `=`. */
function* namedPaths({
  command,
  args,
  cwd,
}: NamedProgram): Iterable<{ readonly path: string; readonly isCode: boolean }> {
  if (command.includes("/")) yield { path: resolve(cwd, command), isCode: true };
  let isOperand = INTERPRETERS.test(basename(command));
  for (const word of args) {
    const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
    if (word.startsWith("-") && !word.includes("=")) continue;
    const path = resolve(cwd, value.replace(/^file:\/\//, ""));
    const kind = kindOf(path);
    if (kind === "absent" && !(PATH_LIKE.test(value) && (isOperand || isMeantAsCode(value)))) continue;
    if (kind === "folder" && !ENTRIES.some((name) => existsSync(join(path, name)))) continue;
    if (kind !== "other") yield { path, isCode: isOperand || CODE_ENDS.has(extname(path)) || isExecutable(path) };
    if (!word.startsWith("-")) isOperand = false;
  }
}

/** Names of images, packages and hosts look like paths too, so a file that is not there has to look like code. */
const isMeantAsCode = (word: string): boolean =>
  !word.includes("://") && (CODE_ENDS.has(extname(word)) || /^\.{0,2}\//.test(word));

class FoundCode implements OperatorCode {
  readonly #program: NamedProgram;
  readonly #workspace: string;
  readonly #writes: (path: string) => boolean;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #data = new Set<string>();
  readonly #settings = new Set<string>();

  constructor(program: NamedProgram, workspace: string) {
    this.#program = program;
    this.#workspace = workspace;
    const patterns = program.write.map((text) => compilePathPattern(text, workspace));
    this.#writes = (path) => patterns.some((pattern) => "matches" in pattern && pattern.matches(path));
  }

  get files(): readonly string[] {
    return [...this.#files].sort();
  }
  get folders(): readonly string[] {
    return [...this.#folders].sort();
  }
  get data(): readonly string[] {
    return [...this.#data].sort();
  }
  get settings(): readonly string[] {
    return [...this.#settings].sort();
  }

  add(named: string, isCode: boolean): void {
    for (const path of pathsOf(named)) {
      if (!isCode && kindOf(path) !== "folder") {
        if (!this.#writes(path)) this.#data.add(path);
        continue;
      }
      const folder = this.#packageOf(path);
      if (folder !== null) this.#folders.add(folder);
      else if (kindOf(path) === "folder") for (const name of ENTRIES) this.#addFile(join(path, name));
      else this.#addFile(path);
    }
  }

  /** What `npx NAME` runs if it is installed, and what would be run if it came to be. */
  addPackages(args: readonly string[]): void {
    const operand = args.find((word) => PACKAGE.test(word) && !RUNNER_WORDS.has(word));
    const named = args.flatMap((word, index) =>
      word.startsWith("--package=") ? [word.slice("--package=".length)] : word === "-p" ? (args[index + 1] ?? []) : [],
    );
    for (const name of new Set([...named, ...(operand === undefined ? [] : [operand])]))
      if (PACKAGE.test(name)) this.#addPackage(name.replace(VERSION, ""));
  }

  #addPackage(name: string): void {
    for (let at = this.#program.cwd; isWithin(at, this.#workspace); at = dirname(at)) {
      for (const path of pathsOf(join(at, "node_modules", name))) this.#folders.add(path);
      this.#data.add(join(at, "node_modules/.bin", basename(name)));
      if (at === "/") break;
    }
  }

  /** Settings of the folder that a package runner obeys before it runs anything. */
  obeyed(...names: readonly string[]): void {
    for (const name of names) this.#settings.add(join(this.#program.cwd, name));
  }

  /** Python looks for it in the working folder first. */
  addModule(module: string): void {
    const path = join(this.#program.cwd, ...module.split("."));
    if (isWithin(this.#program.cwd, this.#workspace)) {
      this.#folders.add(join(this.#program.cwd, module.split(".")[0] ?? module));
      this.#addFile(`${path}.py`);
    }
  }

  /** The folder below the workspace that is a package, or that a script has to itself. Null: the file stands alone. */
  #packageOf(path: string): string | null {
    const own = kindOf(path) === "folder" ? path : dirname(path);
    const isRoom = (folder: string) => !isWithin(this.#workspace, folder) && !this.#holdsData(folder);
    for (let at = own; isRoom(at) && isWithin(at, this.#workspace); at = dirname(at))
      if (ENTRIES.some((name) => existsSync(join(at, name)))) return at;
    return isWithin(own, this.#workspace) && isRoom(own) && PYTHON.test(path) ? own : null;
  }

  /** Whether the program may write a part of it. Where it may write all of it, its code is closed to it nevertheless. */
  #holdsData(folder: string): boolean {
    return this.#program.write.some((text) => {
      const pattern = compilePathPattern(text, this.#workspace);
      if ("error" in pattern) return false;
      const head = `/${pattern.head.join("/")}`;
      return head !== folder && isWithin(head, folder);
    });
  }

  /** With what it imports from beside it. */
  #addFile(path: string): void {
    if (this.#files.has(path) || this.#files.size >= IMPORTED_MAX) return;
    this.#files.add(path);
    for (const imported of importsOf(path)) this.#addFile(imported);
  }
}

/** Python takes modules from the folder of its script before its own. */
const PYTHON = /\.pyw?$/;

const PACKAGE = /^(?:@[\w.-]+\/)?[\w.][\w.-]*(?:@[\w.^~*-]+)?$/;
const VERSION = /(?<=.)@[^/]*$/;

/** Words of package runners that are no package. */
const RUNNER_WORDS = new Set(["exec", "x", "dlx", "run", "start", "--"]);

const RELATIVE_IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]{1,500})["']/g;
const PYTHON_IMPORT = /^[ \t]*(?:from|import)[ \t]+\.?([A-Za-z_][\w.]*)/gm;

function importsOf(path: string): readonly string[] {
  const text = sourceOf(path);
  if (text === null) return [];
  const folder = dirname(path);
  if (PYTHON.test(path))
    return Array.from(text.matchAll(PYTHON_IMPORT), ([, name = ""]) => join(folder, ...name.split(".")))
      .flatMap((base) => [`${base}.py`, join(base, "__init__.py")])
      .filter((one) => existsSync(one));
  return Array.from(text.matchAll(RELATIVE_IMPORT), ([, name = ""]) => resolve(folder, name))
    .flatMap((base) => ["", ".js", ".ts", ".mjs", ".cjs", "/index.js"].map((end) => `${base}${end}`))
    .filter((one) => kindOf(one) === "file");
}

function sourceOf(path: string): string | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= SOURCE_BYTES_MAX ? readFileSync(path, "utf8") : null;
  } catch (error) {
    if (UNREADABLE.has(errorCode(error))) return null;
    throw error;
  }
}

const UNREADABLE = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

function kindOf(path: string): "file" | "folder" | "absent" | "other" {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "absent";
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch (error) {
    if (UNREADABLE.has(errorCode(error))) return "other"; // too long for a name, as code in an argument is
    throw error;
  }
}

const isExecutable = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
