import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isWithin } from "../domain/is-within.ts";

export interface SystemPlaces {
  /** Absolute folders, in the order of `PATH`, and those that the operator added. */
  readonly searchPath: readonly string[];
  /** What lies in here is mounted as what was judged, never as a part of the system. */
  readonly workspace: string;
  /** Of the gate's user: full of what is nobody else's business. */
  readonly home: string | null;
  /** Whether programs run as somebody else, who may not get everywhere. */
  readonly readBy?: "self" | "anybody";
}

/** The installed programs, as bubblewrap is told of them, and where a program looks for others. */
export interface SystemView {
  readonly options: readonly string[];
  /** What of it is mounted from this machine. */
  readonly bound: readonly string[];
  readonly path: readonly string[];
}

/** The parts of `/etc` that programs need and that tell nothing: no `ssl/private`, no accounts, no configuration. */
const ETC_PARTS = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"],
  ...["/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted"],
  ...["/etc/localtime", "/etc/protocols", "/etc/services", "/etc/mime.types", "/etc/os-release"],
];

const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** Looked at once: an installation that changes while the gate runs is seen at its next start. */
export function systemView(places: SystemPlaces): SystemView {
  const all = toolchainPrefixes(places);
  const prefixes = places.readBy === "anybody" ? all.filter(isOpenToAll) : all;
  const options = [...SYSTEM_FOLDERS, ...ETC_PARTS, ...prefixes].flatMap(shownAs);
  const isSeen = (folder: string) => [...SYSTEM_FOLDERS, ...prefixes].some((seen) => isWithin(folder, seen));
  const path = places.searchPath.filter((folder) => isFolder(folder) && isSeen(folder));
  const bound = options.filter((_, index) => options[index - 1] === "--ro-bind");
  return { options, bound, path: [...new Set([...path, "/usr/bin", "/bin"])] };
}

/** As it is here: a link as a link, whatever it leads to; nothing where there is nothing. */
function shownAs(path: string): readonly string[] {
  try {
    return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  } catch {
    return [];
  }
}

/** Managers of language versions, which keep nothing but programs. */
const VERSION_MANAGERS = new Set([".pyenv", ".rbenv", ".nodenv", ".goenv", ".rustup", ".sdkman"]);
const PROGRAM_FOLDERS = new Set(["bin", "sbin", ".bin", "shims"]);

/**
 * Where the programs of PATH have their libraries: `/opt/node` for `/opt/node/bin`. Of a folder that is in somebody's
 * home only what surely holds nothing else; the rest is shown without what lies beside it.
 */
function toolchainPrefixes({ searchPath, workspace, home }: SystemPlaces): readonly string[] {
  const found = new Set<string>();
  for (const folder of searchPath) {
    const real = realFolder(folder);
    if (real === null || isWithin(real, workspace) || isWithin(workspace, real)) continue;
    const prefix = dirname(real);
    const isWhole = PROGRAM_FOLDERS.has(basename(real)) && isClosedPrefix(prefix, workspace, home);
    // What lies in the machine's `/tmp` would be covered by the program's own.
    for (const one of [isWhole ? prefix : real, ...(real === folder ? [] : [folder])])
      if (![...SYSTEM_FOLDERS, "/tmp"].some((covered) => isWithin(one, covered))) found.add(one);
  }
  // A link to a folder that is seen anyway needs its own way there, unless it lies in one that is seen.
  const all = [...found].filter((one) => ![...found].some((other) => other !== one && isWithin(one, other)));
  return all.sort();
}

function isClosedPrefix(prefix: string, workspace: string, home: string | null): boolean {
  if (prefix === "/" || isWithin(workspace, prefix)) return false;
  const homes = [home, "/root", "/home"].filter((folder) => folder !== null);
  if (homes.some((folder) => isWithin(folder, prefix))) return false;
  const within = homes.find((folder) => isWithin(prefix, folder));
  if (within === undefined) return true;
  const steps = prefix.slice(within.length + 1).split("/");
  const own = within === "/home" ? steps.slice(1) : steps;
  return own.length > 2 || VERSION_MANAGERS.has(own[0] ?? "");
}

function realFolder(folder: string): string | null {
  try {
    const real = realpathSync(folder);
    return isFolder(real) && !isWithin(real, "/tmp") && !isWithin(real, "/var/tmp") ? real : null;
  } catch {
    return null;
  }
}

/** Everybody may enter the folder and all above it. */
function isOpenToAll(folder: string): boolean {
  for (let at = folder; at !== "/"; at = dirname(at)) if ((statSync(at).mode & 0o005) !== 0o005) return false;
  return true;
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
