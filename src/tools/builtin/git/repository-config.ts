/** What of a repository's own configuration would run programs, or lead elsewhere. */
export interface RepositoryConfig {
  /** Options that take it back: `-c` overrules what the repository says. */
  readonly overrides: readonly string[];
  /** Where its remotes are, by name. */
  readonly remotes: ReadonlyMap<string, string>;
  /** Why nobody can tell what it does. Null = it can be used. */
  readonly problem: string | null;
}

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/s;
/** In a name: `git -c` can't say it, or it was no UTF-8 and git would be told of another one. */
const UNSAYABLE = /[=\p{Cc}\uFFFD]/u;
const KEY = /^\s*([\w-]+)\s*=/;

/** Read line by line, as `git help config` writes it. Names in the configuration are foreign, and become values only. */
export function readRepositoryConfig(text: string): RepositoryConfig {
  const filters = new Set<string>();
  const drivers = new Set<string>();
  const remotes = new Map<string, string>();
  let problem: string | null = null;
  let [section, name] = ["", ""];
  for (const line of text.split("\n")) {
    let rest = line;
    // Several of them may stand in one line, and a key behind them.
    for (let head = SECTION.exec(rest); head !== null; head = SECTION.exec(rest)) {
      [section, name] = named(head[1] ?? "", head[2]);
      rest = rest.slice(head[0].length);
      if (section === "include" || section === "includeif") problem = "its configuration includes other files";
      if (UNSAYABLE.test(name) && (section === "filter" || section === "merge"))
        problem = "its configuration has a name that can't be overruled";
      if (section === "filter") filters.add(name);
      if (section === "merge") drivers.add(name);
      if (section === "url") problem = "its configuration rewrites addresses";
    }
    const key = KEY.exec(rest);
    if (section !== "remote" || key === null) continue;
    const value = rest.slice(key[0].length).trim();
    if (/^(?:uploadpack|receivepack|vcs|proxy)$/i.test(key[1] ?? "")) problem = "one of its remotes names a program";
    if (key[1]?.toLowerCase() !== "url") continue;
    if (value.endsWith("\\")) problem = "one of its addresses goes on in the next line";
    remotes.set(name, value);
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

/** `[remote "origin"]`, and as it was written once: `[remote.origin]`. */
function named(head: string, quoted: string | undefined): [section: string, name: string] {
  const [section = "", ...dotted] = head.toLowerCase().split(".");
  const last = quoted?.replaceAll(/\\(.)/gs, "$1");
  return [section, [...dotted, ...(last === undefined ? [] : [last])].join(".")];
}
