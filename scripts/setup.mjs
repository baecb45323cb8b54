// Makes `npm start` and `npm test` work in a fresh clone: installs the locked packages and the system programs.
// Plain JavaScript for Node 18 and up, built-in modules only: it runs before anything else is installed.
// Silent when there is nothing to do.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODULES = path.join(ROOT, "node_modules");
const STAMP = path.join(MODULES, ".toolgate-setup");
const LOCK = path.join(ROOT, ".setup-lock");

const BWRAP = { program: "bwrap", package: "bubblewrap" };
const PRLIMIT = { program: "prlimit", package: "util-linux" };
const STRACE = { program: "strace", package: "strace" };
const PSQL = { program: "psql", package: "postgresql" };
const CHROMIUM = { program: "chromium", package: "chromium" };

/** Programs each command wants from the system, and the Debian packages that hold them. */
const NEEDS = {
  start: [BWRAP, PRLIMIT],
  test: [BWRAP, PRLIMIT, STRACE, CHROMIUM, PSQL],
};

const command = process.argv[2] ?? "start";
if (command !== "start" && command !== "test") fail(`unknown command \`${command}\`, use \`start\` or \`test\``);

const stamp = stampOfLockfile();
if (readOr(STAMP, "") !== stamp) whileLocked(() => installPackages(stamp));
installNodeLibraries();
installPrograms(NEEDS[command]);

function stampOfLockfile() {
  const lockfile = readFileSync(path.join(ROOT, "package-lock.json"));
  return createHash("sha256").update(lockfile).update(`${process.platform}-${process.arch}`).digest("hex");
}

/** @param {string} wanted */
function installPackages(wanted) {
  if (readOr(STAMP, "") === wanted) return; // another run did it while this one waited for the lock
  if (!isInstalled()) runNpmCi();
  writeFileSync(STAMP, wanted);
}

/** Is what `npm install` last left here already what the lockfile asks for? Saves a second install after `npm ci`. */
function isInstalled() {
  const installed = packagesIn(path.join(MODULES, ".package-lock.json"));
  const locked = Object.entries(packagesIn(path.join(ROOT, "package-lock.json")));
  return (
    existsSync(path.join(MODULES, ".bin", "node")) &&
    locked.every(
      ([where, { optional, integrity }]) => where === "" || optional || installed[where]?.integrity === integrity,
    )
  );
}

/** @param {string} file @returns {Record<string, { optional?: boolean, integrity?: string }>} */
function packagesIn(file) {
  return JSON.parse(readOr(file, "{}")).packages ?? {};
}

function runNpmCi() {
  say("installing the locked packages (npm ci)");
  // --include: NODE_ENV=production would drop what the tests need. --ignore-scripts: no locked package needs one.
  const options = [
    "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const [program, ...args] = [...npmCommand(), "ci", ...options];
  const { status, error } = run(program, args, { PATH: pathOutsideModules().join(path.delimiter) });
  if (error) fail(`cannot run npm: ${error.message}`);
  if (status !== 0) {
    fail(
      `npm ci failed with status ${status}; fix what it says above (network? registry? disk?) and run the command again`,
    );
  }
}

/** npm under a Node that `npm ci` does not delete while it runs: never the one in node_modules/.bin. */
function npmCommand() {
  const node = isInModules(process.execPath)
    ? (findProgram("node", pathOutsideModules()) ?? process.execPath)
    : process.execPath;
  const byNpm = process.env.npm_execpath ?? "";
  if (path.basename(byNpm) === "npm-cli.js" && existsSync(byNpm)) return /** @type {const} */ ([node, byNpm]);
  const npm = findProgram("npm", pathOutsideModules());
  if (npm === undefined) fail("npm is not on the PATH; install Node.js with npm and run the command again");
  const script = realpathSync(npm);
  return script.endsWith(".js") ? /** @type {const} */ ([node, script]) : /** @type {const} */ ([npm]);
}

function pathOutsideModules() {
  return (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "" && !isInModules(folder));
}

/** @param {string} where */
function isInModules(where) {
  return where.split(path.sep).includes("node_modules");
}

/** Node 26 needs libatomic, which a minimal Debian does not have. Without it nothing starts, so this fails. */
function installNodeLibraries() {
  const library = missingLibrary();
  if (library === undefined) return;
  const name = library === "libatomic.so.1" ? "libatomic1" : library;
  installPackagesOfSystem([name], library);
  if (missingLibrary() !== undefined)
    fail(
      `Node needs the library ${library}; install it (Debian and Ubuntu: sudo apt-get install -y ${name}) and run the command again`,
    );
}

/** The library for want of which the project's Node does not start; undefined = Node starts. */
function missingLibrary() {
  const node = path.join(MODULES, ".bin", "node");
  const { status, stderr } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return status === 0 ? undefined : /loading shared libraries: ([^:\s]+):/.exec(stderr ?? "")?.[1];
}

/** @param {{ program: string, package: string }[]} needs */
function installPrograms(needs) {
  if (process.platform !== "linux") return; // the programs are Linux ones; their suites are skipped elsewhere
  const folders = systemFolders();
  const missing = needs.filter(({ program }) => findProgram(program, folders) === undefined);
  if (missing.length === 0) return;

  const programs = missing.map((need) => need.program).join(", ");
  const packages = missing.map((need) => need.package);
  if (installPackagesOfSystem(packages, programs)) return;
  say(
    `missing on this system: ${programs}; suites that need it are skipped. To install: sudo apt-get install -y ${packages.join(" ")}`,
  );
}

/**
 * Whether apt-get was there and run, as root. What it could not install is reported.
 * @param {string[]} packages @param {string} wanted
 */
function installPackagesOfSystem(packages, wanted) {
  const apt = findProgram("apt-get", systemFolders());
  if (process.getuid?.() !== 0 || apt === undefined) return false;
  say(`installing ${packages.join(", ")} (apt-get)`);
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  run(apt, ["update", "-qq"], quiet); // a failed update may still leave usable lists, so the install decides
  const { status } = run(apt, ["install", "-y", "-qq", "--no-install-recommends", ...packages], quiet);
  if (status !== 0) say(`apt-get could not install ${packages.join(", ")}, which ${wanted} comes from`);
  return true;
}

function systemFolders() {
  return [...pathOutsideModules(), "/usr/sbin", "/sbin"];
}

/** @param {string} name @param {string[]} folders */
function findProgram(name, folders) {
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Two runs in one clone take turns. The lock is a symbolic link whose target is the holder's process id: creating it
 * with its content is one atomic step, so nobody ever sees a lock without an owner.
 * @param {() => void} action
 */
function whileLocked(action) {
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  process.once("exit", () => rmSync(LOCK, { force: true }));
  action();
}

function takeLock() {
  try {
    symlinkSync(String(process.pid), LOCK);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    if (!isHolderAlive()) rmSync(LOCK, { force: true });
    return false;
  }
}

function isHolderAlive() {
  try {
    process.kill(Number(readlinkSync(LOCK)), 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Runs a program with all its output on stderr: stdout belongs to the command this set-up precedes.
 * @param {string} program @param {string[]} args @param {Record<string, string>} env
 */
function run(program, args, env) {
  return spawnSync(program, args, { cwd: ROOT, stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
}

/** @param {string} file @param {string} fallback */
function readOr(file, fallback) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return fallback;
  }
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`setup: ${message}\n`);
}

/** @param {string} message @returns {never} */
function fail(message) {
  say(message);
  process.exit(1);
}
