import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { InputError } from "../domain/outcome.ts";
import { flagOf, isLong } from "./flag.ts";
import type { Leaf } from "./leaf.ts";
import type { AtipArgument, AtipOption } from "./metadata.ts";
import { isMany } from "./parameter-schema.ts";

export type BuiltArgv =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]] }
  | { readonly ok: false; readonly errors: readonly InputError[] };

/**
 * The words of a command whose input has passed its schema: program, global options, command, its options, its arguments in
 * their order. No shell reads them.
 * INVARIANT (data, not options): a value never stands where its program would take it for an option.
 */
export function buildArgv(leaf: Leaf, input: JsonObject): BuiltArgv {
  const errors: InputError[] = [];
  const given = <Each extends AtipArgument>(all: readonly Each[]): readonly (readonly [Each, readonly JsonValue[]])[] =>
    all
      .filter(({ name }) => Object.hasOwn(input, name) && input[name] !== null)
      .map((each) => [each, valuesOf(each, input[each.name] as JsonValue)]);
  const optionWords = (all: readonly AtipOption[]): readonly string[] =>
    given(all).flatMap(([option, values]) => values.flatMap((value) => wordsOf(option, value, errors)));
  const words = [leaf.program, ...optionWords(leaf.globals), ...leaf.path, ...optionWords(leaf.options)];
  errors.push(...leftOut(leaf.arguments, input));
  const positional = given(leaf.arguments).flatMap(([argument, values]) =>
    values.map((value) => positionalWord(argument, value, leaf.endOfOptions, errors)),
  );
  const end = leaf.endOfOptions && positional.length > 0 ? ["--"] : [];
  const argv = [...words, ...end, ...positional] as unknown as readonly [string, ...string[]];
  return errors.length === 0 ? { ok: true, argv } : { ok: false, errors };
}

/** One that is left out before one that is given: the program would take the later one for it. */
function leftOut(all: readonly AtipArgument[], input: JsonObject): readonly InputError[] {
  const isGiven = (argument: AtipArgument): boolean => {
    const value = Object.hasOwn(input, argument.name) ? input[argument.name] : null;
    return value !== null && value !== undefined && valuesOf(argument, value).length > 0;
  };
  const last = all.findLastIndex(isGiven);
  return all
    .slice(0, Math.max(0, last))
    .filter((argument) => !isGiven(argument))
    .map(({ name }) => ({
      field: name,
      rule: "required",
      message: `\`${name}\` stands before \`${all[last]?.name}\`, so it has to be given, too`,
    }));
}

/** A list is as many values, and never one with commas in it. */
const valuesOf = (parameter: AtipArgument, value: JsonValue): readonly JsonValue[] =>
  isMany(parameter) && Array.isArray(value) ? (value as readonly JsonValue[]) : [value];

function wordsOf(option: AtipOption, value: JsonValue, errors: InputError[]): readonly string[] {
  const flag = flagOf(option);
  if (flag === null) throw new TypeError(`the option \`${option.name}\` has no flag that can be written`);
  if (typeof value === "boolean") return value ? [flag] : [];
  const word = wordOf(option, value, errors);
  if (!word.startsWith("-")) return [flag, word];
  if (isLong(flag)) return [`${flag}=${word}`];
  if (typeof value !== "number") errors.push(injection(option.name, word));
  return [flag, word];
}

function positionalWord(argument: AtipArgument, value: JsonValue, behindEnd: boolean, errors: InputError[]): string {
  const word = wordOf(argument, value, errors);
  if (word.startsWith("-") && !behindEnd) errors.push(injection(argument.name, word));
  return word;
}

function wordOf({ name, type }: AtipArgument, value: JsonValue, errors: InputError[]): string {
  const word = typeof value === "string" ? value : JSON.stringify(value);
  if (word.includes("\0"))
    errors.push({ field: name, rule: "nul", message: `\`${name}\` holds a NUL, which no program can be given` });
  if (type === "url" && !URL.canParse(word))
    errors.push({
      field: name,
      rule: "format",
      message: `\`${name}\` has to be a whole URL, such as \`https://example.com/\``,
    });
  return word;
}

const injection = (name: string, word: string): InputError => ({
  field: name,
  rule: "option_injection",
  message: `\`${name}\` begins with \`-\`, and the program would take it for an option${
    word.length > 1 && !word.startsWith("--") ? "; for a file write `./` before it" : ""
  }`,
});
