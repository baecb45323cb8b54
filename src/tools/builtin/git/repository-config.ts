import { type ConfigEntry, configEntries } from "./config-entries.ts";
import { Remotes } from "./remotes.ts";

/** What of a repository's own configuration would run programs, or lead elsewhere. */
export interface RepositoryConfig {
  /** Options that take it back: `-c` overrules what the repository says. */
  readonly overrides: readonly string[];
  readonly remotes: Remotes;
  /** What of `user` it says itself: `name`, `email`. */
  readonly says: ReadonlySet<string>;
  /** Why nobody can tell what it does. Null = it can be used. */
  readonly problem: string | null;
}

/** In a name: `git -c` can't say it, or it was no UTF-8 and git would be told of another one. */
const UNSAYABLE = /[=\p{Cc}\uFFFD]/u;
const PROGRAMS: ReadonlySet<string> = new Set(["uploadpack", "receivepack", "vcs", "proxy"]);

/** Names in the configuration are foreign, and become values only. */
export function readRepositoryConfig(text: string): RepositoryConfig {
  const filters = new Set<string>();
  const drivers = new Set<string>();
  const hooks = new Set<string>();
  const says = new Set<string>();
  const remotes = new Remotes();
  const entries = configEntries(text);
  let problem = entries === null ? "its configuration can't be read" : null;
  for (const entry of entries ?? []) {
    remotes.take(entry);
    problem = problemOf(entry) ?? problem;
    if (entry.section === "filter") filters.add(entry.name);
    if (entry.section === "merge") drivers.add(entry.name);
    if (entry.section === "hook") hooks.add(entry.name);
    if (entry.section === "user" && entry.name === "" && entry.key !== null) says.add(entry.key);
  }
  const overrides = [
    ...[...filters].flatMap((one) => [
      `filter.${one}.clean=`,
      `filter.${one}.smudge=`,
      `filter.${one}.process=`,
      `filter.${one}.required=false`,
    ]),
    // That without a name, too: `merge=` in the attributes of a file means it.
    ...[...drivers].map((one) => `merge.${one}.driver=false`),
    // Since 2.54 they are found here as well (git-hook(1)), wherever `core.hooksPath` leads.
    ...[...hooks].map((one) => `hook.${one}.enabled=false`),
  ];
  return { overrides, remotes, says, problem };
}

function problemOf({ section, name, key, value }: ConfigEntry): string | null {
  switch (section) {
    case "include":
    case "includeif":
      return "its configuration includes other files";
    case "url":
      return "its configuration rewrites addresses";
    case "fetch":
      return key === "bundleuri" ? "its configuration has git fetch from elsewhere first" : null;
    case "filter":
    case "merge":
    case "hook":
      return UNSAYABLE.test(name) ? "its configuration has a name that can't be overruled" : null;
    case "remote":
      return key !== null && PROGRAMS.has(key) ? "one of its remotes names a program" : badAddress(name, value);
    case "branch":
    case "remotes":
      return badAddress(name, value);
    default:
      return null;
  }
}

const badAddress = (name: string, value: string | null): string | null =>
  `${name}${value}`.includes("\uFFFD") ? "one of its addresses is no UTF-8" : null;
