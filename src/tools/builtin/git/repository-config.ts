/** What of a repository's own configuration would run programs, or lead elsewhere. */
export interface RepositoryConfig {
  /** Options that take it back: `-c` overrules what the repository says. */
  readonly overrides: readonly string[];
  /** Where its remotes are, by name. */
  readonly remotes: ReadonlyMap<string, string>;
  /** Why nobody can tell what it does. Null = it can be used. */
  readonly problem: string | null;
}

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const VALUE = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/;

/** Read line by line, as `git help config` writes it. Names in the configuration are foreign, and become values only. */
export function readRepositoryConfig(text: string): RepositoryConfig {
  const filters = new Set<string>();
  const drivers = new Set<string>();
  const remotes = new Map<string, string>();
  let problem: string | null = null;
  let [section, name] = ["", ""];
  for (const line of text.split("\n")) {
    const head = SECTION.exec(line);
    if (head !== null) [section, name] = [(head[1] ?? "").toLowerCase(), (head[2] ?? "").replaceAll(/\\(.)/g, "$1")];
    if (section === "include" || section === "includeif") problem = "its configuration includes other files";
    if (/[=\n]/.test(name) && (section === "filter" || section === "merge"))
      problem = "its configuration has a name that can't be overruled";
    if (section === "filter") filters.add(name);
    if (section === "merge") drivers.add(name);
    const value = VALUE.exec(line);
    if (section === "remote" && value?.[1]?.toLowerCase() === "url") remotes.set(name, value[2] ?? "");
    if (section === "remote" && /^(?:uploadpack|receivepack|vcs|proxy)$/i.test(value?.[1] ?? ""))
      problem = "one of its remotes names a program";
    if (section === "url") problem = "its configuration rewrites addresses";
  }
  const overrides = [
    ...[...filters].flatMap((one) => [
      `filter.${one}.clean=`,
      `filter.${one}.smudge=`,
      `filter.${one}.process=`,
      `filter.${one}.required=false`,
    ]),
    ...[...drivers].filter((one) => one !== "").map((one) => `merge.${one}.driver=false`),
  ];
  return { overrides, remotes, problem };
}
