import type { CodeTaker } from "./code-taker.ts";
import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import type { WhereValuesAre } from "./where-values-are.ts";

type Values = ReadonlySet<number>;

interface Given {
  readonly argv: readonly FlowingWord[];
  readonly fed: Values;
  /** Its program is a file that was named. */
  readonly isFile: boolean;
}

const NEW_FILE = "write it to a new file (`mktemp`), or to one of a name that nobody looks for";
/** Settings that whoever starts a program, a shell or a client brings along. */
const SETTINGS = /^\.(?:\w*rc|\w*profile|bash_\w+|zsh\w+|gitconfig|my\.cnf|emacs)$|^(?:ssh_)?config$|^authorized_keys$/;
export const OWN_FOLDER = "write the folder out, or declare an `enum` of folders";

/** What gets to be a program's code without being given to it: by files, its folder, its environment, its own commands. */
export function codeAround(name: string, taker: CodeTaker, given: Given, where: WhereValuesAre): CodeUse | null {
  const use = (values: Values, why: string, fix: string): CodeUse | null => {
    const index = where.odd(values);
    return index === undefined ? null : { index, why, fix };
  };
  const { unasked, inFolder, pastes } = taker;
  const isThere = inFolder === true || (inFolder === "inline" && !given.isFile);
  const loaded = unasked === undefined ? new Set<number>() : where.inFiles(unasked, "perhaps");
  return (
    use(
      loaded.union(where.inFiles(SETTINGS, "surely")),
      `\`${name}\` may run what is written to a file before`,
      NEW_FILE,
    ) ??
    (isThere
      ? use(where.inFolder(), `\`${name}\` runs what it finds in a folder that the value names`, OWN_FOLDER)
      : null) ??
    (pastes === true
      ? use(
          where.inEnvironment(),
          `\`${name}\` pastes variables into what it runs`,
          "give it by a file, or set the variable for another program",
        )
      : null) ??
    inClient(name, taker, given, where, use)
  );
}

/** `.read f` of sqlite3, `\\i f` and `:x` of psql: what the author's own text makes of values. */
function inClient(
  name: string,
  { says }: CodeTaker,
  { argv, fed }: Given,
  where: WhereValuesAre,
  use: (values: Values, why: string, fix: string) => CodeUse | null,
): CodeUse | null {
  if (says === undefined) return null;
  const texts = argv.flatMap((word) => [word.isStatic ? word.text : "", ...where.textsNamedIn(word)]).join("\n");
  const { runs, reads, writes, pastes, pastesOthers } = says(`${texts}\n${where.inputText()}`);
  const holds = argv.reduce<Values>((values, { flow }) => values.union(flow.holds), fed);
  for (const file of writes) where.wrote(file, holds.union(where.inReach()));
  const pasted = argv.reduce<Values>(
    (values, { raw, flow }, at) => {
      const [, set] = /^["']?(?:-v|--(?:set|variable)=)?["']?([A-Za-z_]\w*)=/.exec(raw) ?? [];
      // A name that a value says may be any of them.
      const isAny = set === undefined && pastes.size > 0 && SETS.test(`${argv[at - 1]?.text} ${raw}`);
      return isAny || (set !== undefined && pastes.has(set)) ? values.union(flow.holds) : values;
    },
    pastesOthers === true ? holds.union(where.inEnvironment()) : new Set<number>(),
  );
  const read = reads.reduce<Values>((values, file) => {
    const isAbsolute = file?.startsWith("/") === true;
    const folder = isAbsolute ? new Set<number>() : where.inFolder();
    return values.union(where.inFile({ shape: [file ?? { raw: "", name: null, isMany: false }] })).union(folder);
  }, new Set<number>());
  return (
    (runs
      ? use(
          holds.union(where.inEnvironment()).union(where.inReach()),
          `a command of \`${name}\` itself runs programs`,
          "do without that command",
        )
      : null) ??
    use(read, `\`${name}\` reads it as code, by a command of its own`, "read a file that is there before") ??
    use(pasted, `\`${name}\` pastes it into its text`, "let it be quoted: `:'x'` instead of `:x`")
  );
}

const SETS = /^(?:-v|--set|--variable) | ["']?(?:-v|--(?:set|variable)=)/;

/** `tar --to-command='sh f'`: what a command that is written out finds in files and in its environment. */
export function foundByCommand({ acts, says, stdin }: CodeTaker, code: string, where: WhereValuesAre): Values {
  const none: Values = new Set<number>();
  if (acts !== undefined || says !== undefined || stdin !== undefined || !/\s/.test(code)) return none;
  return code
    .split(/[\s;|&"'()=<>]+/)
    .reduce<Values>(
      (values, part) => values.union(where.inSameFile({ shape: [part] })),
      code.includes("$") ? where.inEnvironment() : none,
    );
}
