import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../domain/is-within.ts";
import { literalPattern } from "../rules/path-component.ts";
import type { RuleSource } from "../rules/rule.ts";
import { mountAliases } from "./mount-aliases.ts";
import { errorCode } from "./system-error.ts";

/**
 * The code that the gate runs on: whoever changes it decides as the operator, outside of every sandbox, at the gate's
 * next start. Everything here is closed to writes by rules, so that file tools, programs, upstreams and agents are all
 * held by the mechanism that holds every other deny.
 */

const DENIED_HERE =
  "the gate runs from this workspace, and what it runs on is closed to tools; " +
  "install Toolgate outside of the workspace (`npm install --global toolgate`) to open this";

/**
 * Names that make `npx toolgate` run something else than the installed gate, in whichever folder it is started: a package
 * or command called `toolgate` that is nearer, and the Node and the shell that npx would take from `.bin`. By name, so that
 * the hash of the rules is the same on every machine.
 */
const SHADOWS = [
  "**/node_modules/toolgate/**",
  ...["toolgate", "node", "sh"].map((name) => `**/node_modules/.bin/${name}`),
];

/**
 * Files beside `node_modules` that a package manager obeys before it starts an installed command, and the file that shows
 * that this manager is used: `bin` of a `package.json` comes before what is installed, and settings name a shell, options
 * of Node or another version of the manager.
 */
const OBEYED: readonly (readonly [usedIf: string, files: readonly string[]])[] = [
  ["package.json", ["package.json", ".npmrc"]],
  ["pnpm-lock.yaml", ["pnpm-workspace.yaml"]],
  ["yarn.lock", [".yarnrc", ".yarnrc.yml", ".yarn", ".pnp.cjs", ".pnp.loader.mjs"]],
  ["bun.lock", ["bunfig.toml"]],
  ["bun.lockb", ["bunfig.toml"]],
];

/**
 * Why packages of another installation are closed. pnpm, bun and `cp -al` make hard links: two names of one file, which a
 * program could write by either.
 */
const LINKED = "the gate's packages are hard links, so a package of the same name may be the same files";

/** Stores that packages are hard-linked from. */
const LINKED_STORES = ["**/.pnpm-store/**", "**/pnpm/store/**", "**/.bun/install/cache/**"];

/** The folders of a checkout that `bin/toolgate.js` and `npm start` run; the rest of it may be worked on. */
const CHECKOUT_FOLDERS = ["bin", "dist", "src", "scripts", "proto", "runtime"];

/** Folders and files that are closed, by their real paths. */
export interface ProgramPlaces {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** What of the process decides which code runs: replaced by tests. */
export interface RunningProgram {
  /** The real path of the folder that holds the gate's `package.json`. */
  readonly root: string;
  readonly execPath: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Two rules about this machine, which are not in the hash, and one about names, which is. */
export function ownProgramRules(id: string, workspace: string, running?: RunningProgram): readonly RuleSource[] {
  const deny = (name: string, patterns: readonly string[], because: string): readonly RuleSource[] =>
    patterns.length === 0
      ? []
      : [{ id: `${id}${name}`, effect: "deny", touch: { write: patterns, delete: patterns }, because }];
  const ofMachine = (rules: readonly RuleSource[]) => rules.map((rule) => ({ ...rule, ofMachine: true as const }));
  const program = running ?? thisProgram();
  const places = withAliases(programPlaces(workspace, program));
  const patterns = [
    ...places.folders.map((path) => ({ path, end: "/**" })),
    ...places.files.map((path) => ({ path, end: "" })),
  ];
  const isHere = ({ path }: { path: string }) => path !== workspace && isWithin(path, workspace);
  const here = patterns.filter(isHere).map(({ path, end }) => `./${relativeTo(workspace, path)}${end}`);
  const elsewhere = patterns.filter((one) => !isHere(one)).map(({ path, end }) => `${literalPattern(path)}${end}`);
  return [
    // First, as its reason is the one that helps.
    ...ofMachine(deny("-here", here, DENIED_HERE)),
    ...deny("", SHADOWS, "`npx toolgate` would run this in the place of the gate"),
    ...ofMachine(deny("-elsewhere", elsewhere, "the gate runs on this")),
    ...ofMachine(deny("-links", linkedNames(workspace, program.root), LINKED)),
  ];
}

const relativeTo = (workspace: string, path: string): string =>
  literalPattern(path.slice(workspace === "/" ? 1 : workspace.length + 1));

/**
 * All that the running gate loads. In the workspace, where tools work on other packages beside it, only its own
 * dependencies are closed; elsewhere the whole `node_modules` that it is installed in.
 */
function programPlaces(workspace: string, { root, execPath, variables }: RunningProgram): ProgramPlaces {
  const found = new Places();
  const isCheckout = existsSync(join(root, "src"));
  for (const name of isCheckout ? CHECKOUT_FOLDERS : ["."]) found.addFolder(join(root, name));
  const modules = topModules(root);
  const installed = modules === null ? root : dirname(modules);
  if (isWithin(root, workspace)) {
    addDependencies(root, found, new Set());
    for (const folder of modulesAbove(root)) if (existsSync(folder)) found.addFolder(join(folder, ".bin"));
    addObeyed(workspace, found);
  } else if (modules !== null) found.addFolder(modules);
  else for (const folder of modulesAbove(root)) if (existsSync(folder)) found.addFolder(folder);
  addObeyed(installed, found);
  addNode(execPath, found);
  addNamedByEnvironment(variables, found);
  return found;
}

class Places implements ProgramPlaces {
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  addFolder(path: string): void {
    this.#folders.add(path);
  }

  addFile(path: string): void {
    this.#files.add(path);
  }

  /** Without those that lie in another. */
  get folders(): readonly string[] {
    return [...this.#folders].filter((path) => !this.#isInside(path)).sort();
  }

  get files(): readonly string[] {
    return [...this.#files].filter((path) => !this.#isInside(path)).sort();
  }

  #isInside(path: string): boolean {
    for (let at = path; at !== "/"; ) {
      at = dirname(at);
      if (this.#folders.has(at)) return true;
    }
    return false;
  }
}

function addObeyed(folder: string, found: Places): void {
  for (const [usedIf, files] of OBEYED) {
    if (usedIf !== "package.json" && !existsSync(join(folder, usedIf))) continue;
    for (const name of files)
      name === ".yarn" ? found.addFolder(join(folder, name)) : found.addFile(join(folder, name));
  }
}

/** The outermost `node_modules` that the folder lies in. */
function topModules(folder: string): string | null {
  const steps = folder.split("/");
  const index = steps.indexOf("node_modules");
  return index === -1 ? null : steps.slice(0, index + 1).join("/");
}

/** Where Node looks for packages that a file in the folder names, the nearest first. */
function modulesAbove(folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (basename(at) !== "node_modules") found.push(join(at, "node_modules"));
    if (at === "/") return found;
  }
}

/**
 * The packages that the gate depends on, where Node would find them, and every nearer place where another would be found
 * first. Of a scope the whole folder: a `node_modules` in it is looked in as well.
 */
function addDependencies(root: string, found: Places, seen: Set<string>): void {
  if (seen.has(root)) return;
  seen.add(root);
  const above = modulesAbove(root).map((folder) => ({ folder, store: storeOf(folder), isThere: existsSync(folder) }));
  for (const name of dependenciesOf(root)) {
    const [top = name] = name.split("/");
    for (const { folder, store, isThere } of above) {
      found.addFolder(store ?? (isThere ? join(folder, top) : folder));
      const installed = isThere ? realOrNull(join(folder, name)) : null;
      if (installed === null) continue;
      found.addFolder(storeOf(installed) ?? installed);
      addDependencies(installed, found, seen);
      break;
    }
  }
}

/**
 * Patterns for other names of the gate's files. By the names of packages, since to look for the files themselves would take
 * a walk through the workspace with each command. Where the workspace has no packages, there is nothing to close.
 */
function linkedNames(workspace: string, root: string): readonly string[] {
  if (!["node_modules", ".pnpm-store"].some((name) => existsSync(join(workspace, name)))) return [];
  const direct = dependenciesOf(root).flatMap((name) => installedAt(root, name) ?? []);
  if (![root, ...direct].some(isHardLinked)) return [];
  const seen = new Set<string>();
  addDependencies(root, new Places(), seen);
  const names = new Set([...seen].map(packageName).filter((name) => name !== ""));
  return [...[...names].map((name) => `**/node_modules/${literalPattern(name)}/**`).sort(), ...LINKED_STORES];
}

const isHardLinked = (folder: string): boolean =>
  (unlessAbsent(() => statSync(join(folder, "package.json")).nlink) ?? 1) > 1;

function installedAt(root: string, name: string): string | null {
  for (const folder of modulesAbove(root)) {
    const path = realOrNull(join(folder, name));
    if (path !== null) return path;
  }
  return null;
}

/** As its folder below `node_modules` is called; empty for one that is elsewhere. */
function packageName(folder: string): string {
  const mark = "/node_modules/";
  const index = folder.lastIndexOf(mark);
  return index === -1 ? "" : folder.slice(index + mark.length);
}

/** pnpm keeps packages in one folder, whose parts are links to each other. */
function storeOf(path: string): string | null {
  const index = path.indexOf("/node_modules/.pnpm/");
  return index === -1 ? null : path.slice(0, index + "/node_modules/.pnpm".length);
}

function dependenciesOf(root: string): readonly string[] {
  const text = unlessAbsent(() => readFileSync(join(root, "package.json"), "utf8"));
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(text ?? "{}");
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES"]);

/** Null if the path leads nowhere that this process can read; then it loads nothing from there. */
function unlessAbsent<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (ABSENT.has(errorCode(error))) return null;
    throw error;
  }
}

const realOrNull = (path: string): string | null => unlessAbsent(() => realpathSync.native(path));

/** Node itself, and npm beside it. */
function addNode(execPath: string, found: Places): void {
  const folder = dirname(execPath);
  const modules = topModules(execPath);
  if (modules !== null) found.addFolder(packageFolder(execPath, modules));
  else for (const name of ["npm", "npx", "corepack"]) found.addFile(join(folder, name));
  found.addFile(execPath);
  if (modules === null && basename(folder) === "bin")
    for (const name of ["npm", "corepack"]) found.addFolder(join(dirname(folder), "lib/node_modules", name));
}

/** The package below `node_modules` that the file belongs to. */
const packageFolder = (path: string, modules: string): string =>
  join(modules, path.slice(modules.length + 1).split("/", 1)[0] ?? "");

/** Code and libraries that Node or the loader takes because the environment says so. */
function addNamedByEnvironment(variables: RunningProgram["variables"], found: Places): void {
  const lists = ["NODE_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD"].flatMap((name) =>
    (variables[name] ?? "").split(/[:\s]/),
  );
  const options = (variables["NODE_OPTIONS"] ?? "").split(/[\s="']/);
  for (const named of [...lists, ...options, variables["NODE_COMPILE_CACHE"]]) {
    const path = named?.startsWith("/") ? realOrNull(named) : null;
    if (path !== null && path !== "/") found.addFolder(path);
  }
}

function withAliases({ folders, files }: ProgramPlaces): ProgramPlaces {
  const aliasesOf = mountAliases();
  return {
    folders: folders.flatMap((path) => [path, ...aliasesOf(path)]),
    files: files.flatMap((path) => [path, ...aliasesOf(path)]),
  };
}

const thisProgram = (): RunningProgram => ({
  root: packageRoot(import.meta.dirname),
  execPath: realpathSync(process.execPath),
  variables: process.env,
});

/** The folder above this file that has a `package.json`. */
function packageRoot(folder: string): string {
  if (existsSync(join(folder, "package.json")) || folder === "/") return realpathSync(folder);
  return packageRoot(dirname(folder));
}
