import { type Carrier, carried } from "./carrier.ts";
import { CARRIERS } from "./carriers.ts";
import { codeInputs, codeTaken, WHOLE_PATH, type WhereValuesAre } from "./code-inputs.ts";
import { CODE_TAKERS } from "./code-programs.ts";
import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import { optionIn } from "./option-kinds.ts";
import { STARTING_PROGRAMS } from "./possible-commands.ts";
import { programName } from "./program-name.ts";
import { ENV } from "./read-env.ts";
import { XARGS } from "./read-xargs.ts";
import { ALL_CODE, CARRIER_CODE, CODE_BUILTINS, MORE_CARRIERS, STARTERS, type Starter } from "./starters.ts";
import { flowOf, merged } from "./value-flow.ts";
import { headOf, tailOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;
type Argv = readonly FlowingWord[];

const DEPTH_MAX = 10;
const NAMED = { why: "the value would be the command's own name", fix: "write the command out, or use `case`" };
const NOT_KNOWN = "write the program's name and its options out";
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
      rest(1).union(fed).union(inFilesOf(argv, where)),
      "which program gets it is known only at run time",
      NOT_KNOWN,
    );
  if (first.text.includes("/")) {
    const run = use(where.inFile(first), "it is written to a file that is run", "run a program that is there before");
    if (run !== null) return run;
    const there = use(where.inFolderOf(first), "it names the folder of a program that is run", WHOLE_PATH);
    if (there !== null) return there;
  }
  const inner = (inside: Argv, input: Values): CodeUse | null => {
    if (!/^[-+]/.test(inside[0]?.text ?? "")) return programUse(inside, input, where, depth + 1);
    return use(holdsIn(inside).union(input), `where the command behind \`${name}\` begins can't be told`, NOT_KNOWN);
  };
  if (name === "find") return inFind(argv, fed, inner) ?? codeTaken(name, FIND, argv, fed, where);
  const carrier = carrierOf(name);
  if (carrier !== null) return inCarrier(name, carrier, argv, fed, { use, inner });
  if (Object.hasOwn(STARTERS, name))
    return inStarter(name, STARTERS[name] as Starter, argv, fed, where, { use, inner });
  if (CODE_BUILTINS.has(name)) return use(rest(1), `\`${name}\` makes commands of what it is given`, ALL_WRITTEN);
  if (isAllCode(name))
    return use(
      rest(1).union(fed).union(inFilesOf(argv, where)),
      `\`${name}\` makes commands of what it is given`,
      ALL_WRITTEN,
    );
  return codeInputs(name, argv, fed, where);
}

interface Means {
  readonly use: (values: Values, why: string, fix: string) => CodeUse | null;
  readonly inner: (inside: Argv, fed: Values) => CodeUse | null;
}

/** What may have been written to files that words name. */
const inFilesOf = (argv: Argv, where: WhereValuesAre): Values =>
  argv.slice(1).reduce<Values>((values, word) => values.union(where.inFile(word)), new Set<number>());

const holdsIn = (argv: Argv): Values =>
  argv.reduce<Values>((values, { flow }) => values.union(flow.holds), new Set<number>());

/** A name in a folder that is known only at run time is a name: `"$dir"/tool`. */
function calledBy({ text, isStatic, shape }: FlowingWord): string | null {
  if (isStatic) return programName(text);
  const tail = tailOf(shape);
  return /\/[^/]+$/.test(tail) ? programName(tail) : null;
}

const isAllCode = (name: string): boolean =>
  ALL_CODE.has(name) || (STARTING_PROGRAMS.has(name) && !CODE_TAKERS.has(name) && !Object.hasOwn(STARTERS, name));

const carrierOf = (name: string): Carrier | null => {
  if (name === "env") return ENV;
  if (name === "xargs") return XARGS;
  return MORE_CARRIERS[name] ?? (Object.hasOwn(CARRIERS, name) ? (CARRIERS[name] as Carrier) : null);
};

const wordOf = ({ text, isStatic, isMany }: FlowingWord) => ({
  text,
  known: isStatic,
  ...(isMany && { many: true as const }),
});

function inCarrier(name: string, carrier: Carrier, argv: Argv, fed: Values, { use, inner }: Means): CodeUse | null {
  const split = carried(carrier, argv.map(wordOf));
  if (typeof split === "string") return use(holdsIn(argv).union(fed), split, NOT_KNOWN);
  const begin = argv.length - split.rest.length;
  const own = argv.slice(0, begin);
  const isUnclear = split.skipped.some(({ many }) => many === true);
  if (isUnclear)
    return use(holdsIn(argv).union(fed), `where the command behind \`${name}\` begins can't be told`, NOT_KNOWN);
  const isCode = (CARRIER_CODE[name] ?? "").split(" ").some((option) => split.options.has(option));
  if (isCode) return use(holdsIn(argv).union(fed), `\`${name}\` makes a command of what an option says`, ALL_WRITTEN);
  if (name !== "xargs") return split.rest.length === 0 ? null : inner(argv.slice(begin), fed);
  // The input is the command's own again where the words come from a file.
  const isKept = ["a", "o", "--arg-file", "--open-tty"].some((option) => split.options.has(option));
  return inner(withInput(argv.slice(begin), own, fed), isKept ? fed : new Set<number>());
}

/** What xargs reads becomes words of the command: behind the others, or in the place of a mark. */
function withInput(argv: Argv, own: Argv, fed: Values): Argv {
  if (fed.size === 0) return argv;
  const filled: FlowingWord = {
    ...{ text: "…", raw: "…", shape: [{ raw: "…", name: null, isMany: true }], isStatic: false, isMany: false },
    ...{ flow: flowOf(fed), isValue: false },
  };
  const marks = own.flatMap((word, at) => {
    const [, glued] = /^(?:-[0rtpxo]*I|--replace=?)(.*)$/s.exec(word.text) ?? [];
    if (glued === undefined) return [];
    const named = glued === "" ? own[at + 1] : word;
    // A mark that is known only at run time may be any part of any word.
    return [named?.isStatic === false ? "" : glued === "" ? (named?.text ?? "{}") : glued];
  });
  if (marks.length === 0) return [...argv, filled, filled];
  return argv.map((word) => (marks.some((mark) => word.raw.includes(mark)) ? withFlow(word, fed) : word));
}

const withFlow = (word: FlowingWord, holds: Values): FlowingWord => ({
  ...word,
  isStatic: false,
  flow: merged(word.flow, flowOf(holds)),
});

const FIND = { style: "single", text: "-exec -execdir -ok -okdir" } as const;

/** What is found begins with where the search began. */
function inFind(argv: Argv, fed: Values, inner: Means["inner"]): CodeUse | null {
  const options = argv.findIndex(({ shape }, at) => at > 0 && /^[-(!]/.test(headOf(shape)));
  const roots = holdsIn(argv.slice(1, options === -1 ? argv.length : options));
  for (let at = 1; at < argv.length; at++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(argv[at]?.text ?? "")) continue;
    const end = argv.findIndex(
      ({ text }, i) => i > at && (text === ";" || (text === "+" && argv[i - 1]?.text === "{}")),
    );
    const command = argv
      .slice(at + 1, end === -1 ? argv.length : end)
      .map((word) => (roots.size > 0 && word.raw.includes("{}") ? withFlow(word, roots) : word));
    const found = inner(command, fed);
    if (found !== null) return found;
  }
  return null;
}

const GIT_KEYS =
  /^(?:user\.(?:name|email)|init\.defaultbranch|color\..*|core\.(?:autocrlf|filemode|quotepath)|pull\.rebase|push\.default)$/i;

function inStarter(
  name: string,
  starter: Starter,
  argv: Argv,
  fed: Values,
  where: WhereValuesAre,
  { use, inner }: Means,
): CodeUse | null {
  const all = (why: string): CodeUse | null =>
    use(holdsIn(argv).union(fed).union(inFilesOf(argv, where)), why, NOT_KNOWN);
  const unasked = starter.unasked === undefined ? new Set<number>() : where.inFiles(starter.unasked, "surely");
  const loaded = use(unasked, `\`${name}\` may run what is written to a file before`, OTHER_NAME);
  if (loaded !== null) return loaded;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] as FlowingWord;
    const head = headOf(word.shape);
    if (!head.startsWith("-")) break;
    const found = optionIn({ strict: true, ...starter.own }, head, word.isStatic);
    if (found === "unknown" || found === "cut" || found.kind === "text" || found.kind === "load")
      return all(`nothing is known here of \`${name} ${head}\``) ?? codeInputs(name, argv, fed, where);
    if (found.kind !== "flag" && !found.isGlued) at++;
    const settings = found.kind === "file" ? (argv[at]?.flow.holds ?? new Set<number>()) : new Set<number>();
    const code = use(settings, `what stands there says what \`${name}\` runs`, "write it out");
    if (code !== null) return code;
  }
  const sub = argv[at];
  if (sub === undefined) return null;
  if (!sub.isStatic) return all(`what \`${name}\` does is known only at run time`);
  const behind = argv.slice(at);
  const taker = ownOf(starter.takes, sub.text);
  if (taker !== undefined) return codeTaken(name, taker, behind, fed, where) ?? codeInputs(name, argv, fed, where);
  const carrier = ownOf(starter.carries, sub.text);
  if (carrier !== undefined) return inCarrier(name, carrier, behind, fed, { use, inner });
  const isData = starter.data?.split(" ").includes(sub.text) === true || (sub.text === "config" && isPlainKey(behind));
  const code = isData ? null : all(`\`${name} ${sub.text}\` may run what it is given`);
  return code ?? codeInputs(name, argv, fed, where);
}

const ownOf = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** `git config user.name {{x}}`: a setting that nothing is run by. */
const isPlainKey = (behind: Argv): boolean =>
  GIT_KEYS.test(behind.slice(1).find(({ text }) => !text.startsWith("-"))?.text ?? "");
