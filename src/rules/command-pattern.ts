import type { Effect } from "../domain/decision.ts";
import { type ExecTouch, NOT_KNOWN_HARMLESS, type Word } from "../domain/touch.ts";
import { alsoCommands, baseName, STEPS_MAX } from "./command-steps.ts";
import { commandWords } from "./command-words.ts";
import type { Coverage, Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";
import { couldMatch, isMatch, type Token, type WordTest } from "./word-match.ts";

export interface CommandRule {
  readonly effect: Effect;
  /** Words that are known only at run time are covered as well. */
  readonly dynamic: boolean;
  /** Options that are not known to be harmless are covered as well. */
  readonly anyOption?: boolean;
  readonly workspace: string;
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** `npm run lint *`: words, where `*` is one of them and `**` any number, also none. */
export function compileCommandPattern(text: string, rule: CommandRule): Pattern | PatternError {
  const tokens = commandWords(text);
  if ("error" in tokens) return tokens;
  const start = tokens.findIndex((token) => typeof token !== "string" || !ASSIGNMENT.test(token));
  if (start === -1) return patternError("the pattern names no program", "write `npm test`, or `**` for every command");
  const covers = rule.effect === "allow" ? allows(tokens, start, rule) : tightens(tokens.slice(start), rule);
  return { text, matches: () => false, covers, head: headOf(tokens.slice(start)), last: null };
}

function headOf(tokens: readonly Token[]): readonly string[] {
  const end = tokens.findIndex((token) => typeof token !== "string");
  const literal = tokens.slice(0, end === -1 ? STEPS_MAX : Math.min(end, STEPS_MAX)) as readonly string[];
  return literal.map((word, index) => (index === 0 ? baseName(word) : word));
}

/** Everything has to fit: who the program is, each variable that is set for it, and no hazard behind a wildcard. */
function allows(
  tokens: readonly Token[],
  start: number,
  { dynamic, anyOption = false, workspace }: CommandRule,
): Covers {
  const program = tokens[start] as Token;
  const coversWord: WordTest = ({ known, hazard }) =>
    (hazard === undefined || (anyOption && hazard === NOT_KNOWN_HARMLESS)) && (known || dynamic);
  return (touch) => {
    if (!isProgram(program, touch, workspace)) return "no";
    const given = withProgram(touch.argv, program);
    const words = touch.env === undefined ? given : [...touch.env, ...given];
    return isMatch(tokens, words, coversWord) ? "yes" : "no";
  };
}

/** A rule that denies or asks holds for whatever could be meant: it is not to be got around. */
function tightens(tokens: readonly Token[], { dynamic, workspace, effect }: CommandRule): Covers {
  const program = tokens[0] as Token;
  const coversWord: WordTest = (word) => word.known || dynamic;
  const couldBe = (words: readonly Word[], file: string | null): boolean =>
    (typeof program !== "string" || mayBeNamed(program, words[0] as Word, file)) &&
    couldMatch(tokens, withProgram(words, program));
  return (touch) => {
    const isSure =
      isProgram(program, touch, workspace) && isMatch(tokens, withProgram(touch.argv, program), coversWord);
    if (isSure) return "yes";
    if (!couldBe(touch.argv, touch.program) && !alsoCommands(touch).some((words) => couldBe(words, null))) return "no";
    return effect === "deny" ? "yes" : "maybe";
  };
}

type Covers = (touch: ExecTouch) => Coverage;

/** By any name that it goes by. */
const isNamed = (wanted: string, word: string, file: string | null): boolean =>
  wanted === word || wanted === baseName(word) || (file !== null && (wanted === file || wanted === baseName(file)));

/** What another shell finds in a variable may be any program. */
const mayBeNamed = (wanted: string, { text, known }: Word, file: string | null): boolean =>
  !known || isNamed(wanted, text, file);

/** The program is compared by who it is, so its word stands for it in the comparison of words. */
const withProgram = (argv: readonly Word[], program: Token): readonly Word[] =>
  typeof program === "string" && argv[0]?.text !== program ? [{ text: program, known: true }, ...argv.slice(1)] : argv;

function isProgram(wanted: Token, { argv, program, origin }: ExecTouch, workspace: string): boolean {
  if (typeof wanted !== "string") return true;
  const first = argv[0]?.text;
  if (!wanted.includes("/")) return first === wanted && (origin === "toolchain" || origin === "shell");
  const path = wanted.startsWith("./") ? `${workspace === "/" ? "" : workspace}/${wanted.slice(2)}` : wanted;
  return program === path || (first === wanted && origin === "toolchain");
}
