import { builtinUse } from "./builtin-use.ts";
import { type Carrier, carried } from "./carrier.ts";
import { carrierOf } from "./carrier-of.ts";
import { codeAround, OWN_FOLDER } from "./code-around.ts";
import { codeInputs, codeTaken } from "./code-inputs.ts";
import { CODE_TAKERS } from "./code-programs.ts";
import { isKnownProgram } from "./data-programs.ts";
import { ANYTHING, withFlow, withInput } from "./filled-words.ts";
import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import { REMOTES } from "./git-remotes.ts";
import { STARTING_PROGRAMS } from "./launchers.ts";
import { optionIn } from "./option-kinds.ts";
import { programName } from "./program-name.ts";
import { ALL_CODE, CARRIER_CODE, CODE_BUILTINS, LOOKING, STARTERS, type Starter } from "./starters.ts";
import { foundProgram, unknownUse } from "./unknown-program.ts";
import { variableNamed } from "./variable-named.ts";
import { inFilesOf, type WhereValuesAre } from "./where-values-are.ts";
import { headOf, tailOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;
type Argv = readonly FlowingWord[];

const DEPTH_MAX = 10;
const NAMED = { why: "the value would be the command's own name", fix: "write the command out, or use `case`" };
const NOT_KNOWN = "write the program's name and its options out";
const WITHOUT_RUNNER = 'write the command out where it is started, instead of `"$@"` in a function';
const OTHER_NAME = "write it to a new file (`mktemp`), or to one of a name that nobody looks for";
const ALL_WRITTEN = "do without it, or write out all that it is given";

/** What a program, or one that it starts, makes of its words and its standard input. */
export function programUse(argv: Argv, fed: Values, where: WhereValuesAre, depth = 0): CodeUse | null {
  const [first] = argv;
  if (first === undefined) return null;
  const use = (values: Values, why: string, fix: string): CodeUse | null => {
    const index = where.odd(values);
    return index === undefined ? null : { index, why, fix };
  };
  const rest = (from: number): Values => holdsIn(argv.slice(from));
  const named = use(first.flow.holds, NAMED.why, NAMED.fix);
  if (named !== null) return named;
  const name = calledBy(first);
  if (name === null || depth > DEPTH_MAX)
    return use(
      rest(1)
        .union(fed)
        .union(inFilesOf(argv.slice(1), where))
        .union(where.inSameFile(first))
        .union(where.inFolderOf(first)),
      "which program gets it is known only at run time",
      first.raw.includes("@") ? WITHOUT_RUNNER : NOT_KNOWN,
    );
  const found = foundProgram(first, where) ?? builtinUse(name, argv, where);
  if (found !== null) return found;
  const inner = (inside: Argv, input: Values, there = where): CodeUse | null => {
    if (!/^[-+]/.test(inside[0]?.text ?? "")) return programUse(inside, input, there, depth + 1);
    return use(holdsIn(inside).union(input), `where the command behind \`${name}\` begins can't be told`, NOT_KNOWN);
  };
  if (name === "find") return inFind(argv, fed, where, inner) ?? codeTaken(name, FIND, argv, fed, where);
  const started = name === "fd" || name === "fdfind" ? inFd(argv, fed, inner) : null;
  if (started !== null) return started;
  const carrier = carrierOf(name);
  if (carrier !== null) return inCarrier(name, carrier, argv, fed, where, { use, inner });
  if (Object.hasOwn(STARTERS, name))
    return inStarter(name, STARTERS[name] as Starter, argv, fed, where, { use, inner });
  if (CODE_BUILTINS.has(name))
    return use(
      rest(1).union(inFilesOf(argv.slice(1), where)),
      `\`${name}\` makes commands of what it is given`,
      ALL_WRITTEN,
    );
  if (isAllCode(name))
    return (
      use(
        rest(1)
          .union(fed)
          .union(inFilesOf(argv.slice(1), where)),
        `\`${name}\` makes commands of what it is given`,
        ALL_WRITTEN,
      ) ?? codeAround(name, LOOKING.get(name) ?? {}, { argv, fed, isFile: false }, where)
    );
  return isKnownProgram(name) || where.isFunction(name)
    ? codeInputs(name, argv, fed, where)
    : unknownUse(name, argv, fed.union(inFilesOf(argv.slice(1), where)), where);
}

interface Means {
  readonly use: (values: Values, why: string, fix: string) => CodeUse | null;
  readonly inner: (inside: Argv, fed: Values, where?: WhereValuesAre) => CodeUse | null;
}

const holdsIn = (argv: Argv): Values => new Set(argv.flatMap(({ flow }) => [...flow.holds]));

/** A name in a folder that is known only at run time is a name: `"$dir"/tool`. */
function calledBy({ text, isStatic, shape }: FlowingWord): string | null {
  if (isStatic) return programName(text);
  const tail = tailOf(shape);
  return /\/[^/]+$/.test(tail) ? programName(tail) : null;
}

const isAllCode = (name: string): boolean =>
  ALL_CODE.has(name) || (STARTING_PROGRAMS.has(name) && !CODE_TAKERS.has(name) && !Object.hasOwn(STARTERS, name));

/** `./a`, `bash a`: a path, or a command of several words, that depends on the folder. An assignment is neither. */
const isLookedUp = ({ text }: FlowingWord): boolean => /^(?!\/|[A-Za-z_]\w*=).*[\s/]/s.test(text);

const wordOf = ({ text, isStatic, isMany }: FlowingWord) => ({
  text,
  known: isStatic,
  ...(isMany && { many: true as const }),
});

/** Options of carriers that say where the command works, and those by which all paths are others. */
const CONTAINED = ["w", "--workdir"];
const CHDIR: Readonly<Record<string, readonly string[]>> = {
  ...{ env: ["C", "--chdir"], sudo: ["D", "--chdir"] },
  ...{ docker: CONTAINED, podman: CONTAINED, nerdctl: CONTAINED },
};
const CHROOT: Readonly<Record<string, readonly string[]>> = { sudo: ["R", "--chroot"] };

/** The same place, in a folder that more values name. */
const goneTo = (where: WhereValuesAre, values: Values): WhereValuesAre => ({
  ...where,
  isElsewhere: true,
  inFolder: () => where.inFolder().union(values),
  inFolderOf: (word) =>
    headOf(word.shape).startsWith("/") ? where.inFolderOf(word) : where.inFolderOf(word).union(values),
});

function inCarrier(
  name: string,
  carrier: Carrier,
  argv: Argv,
  fed: Values,
  where: WhereValuesAre,
  { use, inner }: Means,
): CodeUse | null {
  const split = carried(carrier, argv.map(wordOf));
  if (typeof split === "string") {
    const run = argv.slice(1).reduce<Values>((values, word) => values.union(where.inSameFile(word)), fed);
    const found = argv.slice(1).some(isLookedUp) ? run.union(where.inFolder()) : run;
    return use(holdsIn(argv).union(found), split, NOT_KNOWN);
  }
  const begin = argv.length - split.rest.length;
  const own = argv.slice(0, begin);
  const isUnclear = split.skipped.some(({ many }) => many === true);
  if (isUnclear)
    return use(holdsIn(argv).union(fed), `where the command behind \`${name}\` begins can't be told`, NOT_KNOWN);
  const isCode = (CARRIER_CODE[name] ?? "").split(" ").some((option) => split.options.has(option));
  if (isCode) {
    const named = own.flatMap(({ text }) => text.split(/[\s;|&"'()=<>]+/)).map((part) => ({ shape: [part] }));
    const written = named.reduce<Values>((values, file) => values.union(where.inSameFile(file)), fed);
    return use(
      holdsIn(argv).union(written).union(where.inFolder()),
      `\`${name}\` makes a command of what an option says`,
      ALL_WRITTEN,
    );
  }
  if (name === "chroot" || CHROOT[name]?.some((option) => split.options.has(option)) === true) {
    const root = use(holdsIn(own), "it says where the whole of the system is", "write the folder out");
    if (root !== null) return root;
  }
  const named = variableNamed(name, own, where);
  if (named !== null) return named;
  const isGone = CHDIR[name]?.some((option) => split.options.has(option)) === true;
  const set = holdsIn(own.filter(({ raw }) => /^["']?[A-Za-z_]\w*=/.test(raw)));
  const there: WhereValuesAre = {
    ...(isGone ? goneTo(where, holdsIn(own)) : where),
    inEnvironment: () => where.inEnvironment().union(set),
  };
  if (name !== "xargs") return split.rest.length === 0 ? null : inner(argv.slice(begin), fed, there);
  // The input is the command's own again where the words come from a file.
  const isKept = ["a", "o", "--arg-file", "--open-tty"].some((option) => split.options.has(option));
  // Words that come from a file are named by what is said of it.
  const input = isKept ? fed.union(holdsIn(own)).union(inFilesOf(own.slice(1), where)) : fed;
  return inner(withInput(argv.slice(begin), own, input), isKept ? fed : new Set<number>());
}

const FIND = { style: "single", text: "-exec -execdir -ok -okdir" } as const;

/** Which files are found is said by where the search begins and by what is looked for. */
function inFind(argv: Argv, fed: Values, where: WhereValuesAre, inner: Means["inner"]): CodeUse | null {
  const begins = argv.flatMap(({ text }, at) => (/^-(?:exec|ok)(?:dir)?$/.test(text) ? [at] : []));
  const ends = begins.map((begin) => {
    const end = argv.findIndex(
      ({ text }, i) => i > begin && (text === ";" || (text === "+" && argv[i - 1]?.text === "{}")),
    );
    return end === -1 ? argv.length : end;
  });
  const found = holdsIn(argv.filter((_, at) => !begins.some((begin, n) => at > begin && at < (ends[n] ?? 0))));
  for (const [n, begin] of begins.entries()) {
    const command = argv
      .slice(begin + 1, ends[n])
      .map((word) => (word.raw.includes("{}") ? { ...withFlow(word, found), shape: ANYTHING } : word));
    const isThere = argv[begin]?.text.endsWith("dir") === true;
    const use = inner(command, fed, isThere ? goneTo(where, found) : where);
    if (use !== null) return use;
  }
  return null;
}

/** `fd a -x bash`: the command gets what is found, by its mark or behind its words. */
function inFd(argv: Argv, fed: Values, inner: Means["inner"]): CodeUse | null {
  const at = argv.findIndex(({ text, isStatic }) => isStatic && /^(?:-[xX]|--exec(?:-batch)?)$/.test(text));
  return at === -1 ? null : inner(withInput(argv.slice(at + 1), [], holdsIn(argv.slice(0, at))), fed);
}

const GIT_KEYS =
  /^(?:user\.(?:name|email)|init\.defaultbranch|color\..*|core\.(?:autocrlf|filemode|quotepath)|pull\.rebase|push\.default)$/i;

/** `git -c user.name={{x}}`. */
const GIT_SETTING = /^(?:user\.(?:name|email)|color\.\w+|core\.quotepath)=/i;

function inStarter(
  name: string,
  starter: Starter,
  argv: Argv,
  fed: Values,
  where: WhereValuesAre,
  { use, inner }: Means,
): CodeUse | null {
  const all = (why: string): CodeUse | null =>
    use(
      holdsIn(argv)
        .union(fed)
        .union(inFilesOf(argv.slice(1), where)),
      why,
      NOT_KNOWN,
    );
  const unasked = starter.unasked === undefined ? new Set<number>() : where.inFiles(starter.unasked, "surely");
  const loaded = use(unasked, `\`${name}\` may run what is written to a file before`, OTHER_NAME);
  if (loaded !== null) return loaded;
  const isLifted = where.isData(name);
  const inFolder = starter.unasked === undefined || isLifted ? new Set<number>() : where.inFolder();
  const there = use(inFolder, `\`${name}\` runs what it finds in a folder that the value names`, folderFix(name));
  if (there !== null) return there;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] as FlowingWord;
    const head = headOf(word.shape);
    if (!head.startsWith("-")) break;
    const found = optionIn({ strict: true, ...starter.own }, head, word.isStatic);
    if (name === "git" && head === "-c" && GIT_SETTING.test(headOf(argv[at + 1]?.shape ?? []))) {
      at++;
      continue;
    }
    if (found === "unknown" || found === "cut" || found.kind === "text" || found.kind === "load")
      return all(`nothing is known here of \`${name} ${head}\``) ?? codeInputs(name, argv, fed, where);
    if (found.kind !== "flag" && !found.isGlued) at++;
    const value = argv[at]?.flow.holds ?? new Set<number>();
    const settings = found.kind === "file" ? value : new Set<number>();
    const code = use(settings, `what stands there says what \`${name}\` runs`, "write it out");
    if (code !== null) return code;
    const isFolder = starter.folder === head.slice(0, 2) && !isLifted;
    const index = isFolder ? where.free(value) : undefined;
    if (index !== undefined)
      return { index, why: `\`${name}\` runs what it finds in a folder that the value names`, fix: folderFix(name) };
  }
  const sub = argv[at];
  if (sub === undefined)
    return starter.stdin === true
      ? use(fed, `\`${name}\` reads its standard input as commands`, "give it by `-x`")
      : null;
  if (!sub.isStatic) return all(`what \`${name}\` does is known only at run time`);
  const behind = argv.slice(at);
  const taker = ownOf(starter.takes, sub.text);
  const remote = name === "git" && sub.text === "push" ? where.free(where.givenTo(REMOTES)) : undefined;
  if (remote !== undefined) return { index: remote, why: taker?.why ?? "", fix: taker?.fix ?? "" };
  if (taker !== undefined) return codeTaken(name, taker, behind, fed, where) ?? codeInputs(name, argv, fed, where);
  const carrier = ownOf(starter.carries, sub.text);
  if (carrier !== undefined) return inCarrier(name, carrier, behind, fed, where, { use, inner });
  if (starter.dashed === sub.text) {
    const dashes = behind.findIndex(({ text, isStatic }) => isStatic && text === "--") + 1;
    const own = dashes === 0 ? behind : behind.slice(0, dashes);
    const given = holdsIn(own).union(inFilesOf(own, where));
    return (
      use(given, `\`${name} ${sub.text}\` may run what it is given`, NOT_KNOWN) ?? inner(behind.slice(own.length), fed)
    );
  }
  const isData = starter.data?.split(" ").includes(sub.text) === true || (sub.text === "config" && isPlainKey(behind));
  const code = isData ? null : all(`\`${name} ${sub.text}\` may run what it is given`);
  return code ?? codeInputs(name, argv, fed, where);
}

const folderFix = (name: string): string =>
  name === "git"
    ? `${OWN_FOLDER}; if every folder there is your own, say so at the tool: \`data_for: [git]\``
    : OWN_FOLDER;

const ownOf = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** `git config user.name {{x}}`: a setting that nothing is run by. */
const isPlainKey = (behind: Argv): boolean =>
  GIT_KEYS.test(behind.slice(1).find(({ text }) => !text.startsWith("-"))?.text ?? "");
