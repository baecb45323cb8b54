import { WHOLE_PATH } from "./code-fixes.ts";
import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import type { WhereValuesAre } from "./where-values-are.ts";

type Values = ReadonlySet<number>;

/** Where a program is found: in a file that values are in, or in a folder that one of them names. */
export function foundProgram(first: FlowingWord, where: WhereValuesAre): CodeUse | null {
  const { text, isStatic } = first;
  const isPath = text.includes("/");
  const isName = isStatic && !isPath && /^[\w.+-]+$/.test(text);
  const written = isPath
    ? where.inFile(first)
    : isName
      ? where.inFiles(new RegExp(`^${text.replace(/[.+]/g, "\\$&")}$`), "surely")
      : new Set<number>();
  const index = where.odd(written);
  if (index !== undefined)
    return { index, why: "it is written to a file that is run", fix: "run a program that is there before" };
  const folder = where.odd(isPath || where.isPathSet() ? where.inFolderOf(first) : new Set<number>());
  return folder === undefined
    ? null
    : { index: folder, why: "it names the folder of a program that is run", fix: WHOLE_PATH };
}

/** Files that somebody may load by himself: all but those whose names say that they hold data. */
const LOADED =
  /^\.|(?:^|[/.])(?:package|tsconfig|composer|deno|project)\.json$|^(?:pom|build)\.xml$|^(?!.*\.(?:txt|csv|tsv|json|jsonl|ndjson|md|log|out|html?|xml|pdf|png|jpe?g|gif|svg|webp|css|sql|diff|patch|data|dat|bin|tmp|tar|gz|tgz|zip|db|sqlite3?|eml)$)/i;

/** Where programs of others are installed. */
const INSTALLED =
  /^(?:\/usr(?:\/local)?|\/opt\/(?:homebrew|local))?\/s?bin\/|^\/snap\/|(?:^|\/)(?:\.local\/bin|node_modules\/\.bin|vendor\/bin|\.?v?env\/bin)\//;

/** A name that says in what language it is written. */
const SCRIPT = /\.(?:sh|bash|py|[cm]?[jt]s|rb|pl|php|lua)$/;

/**
 * A program of no table may be a language, a launcher, a build: values get to it only by its author's word. One that is
 * named by its path is the author's own, as a script in any language is.
 */
export function unknownUse(
  name: string,
  argv: readonly FlowingWord[],
  fed: Values,
  where: WhereValuesAre,
): CodeUse | null {
  const path = argv[0]?.text ?? "";
  const isOwn = SCRIPT.test(name) || (path.includes("/") && !INSTALLED.test(path));
  if (name === "" || isOwn || where.isData(name)) return null;
  const words = argv.slice(1).reduce<Values>((values, { flow }) => values.union(flow.holds), fed);
  const given = words.union(where.inEnvironment());
  const index = where.free(given.union(where.inFolder()).union(where.inFiles(LOADED, "perhaps")));
  return index === undefined
    ? null
    : {
        index,
        why: `nothing is known here of \`${name}\`, which may run what it is given or finds`,
        fix: `if all is data to it, say so at the tool: \`data_for: [${name}]\`; name a script of your own by its path`,
      };
}
