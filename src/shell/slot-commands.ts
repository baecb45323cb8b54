import type { Command, Word as SyntaxWord } from "unbash";
import { CARRIERS } from "./carriers.ts";
import { tokensIn } from "./slot-names.ts";
import { ALL_CODE, MORE_CARRIERS } from "./starters.ts";
import { staticText } from "./static-text.ts";

/** Builtins whose arguments become commands, names or code. */
export const READS_CODE: ReadonlySet<string> = new Set(
  "source . let alias enable bind complete compgen fc hash ssh su watch parallel".split(" "),
);

/** `declare -a x="$v"` takes a value that begins with a parenthesis for a list, and runs what stands in it. */
export const DECLARES = /^(?:declare|typeset|local|readonly|export)$/;

export const isArrayOption = (part: Command["suffix"][number]): boolean =>
  part.type === "Word" && /^[-+][A-Za-z]*[aA]/.test(part.value);

/** A word that is made of expansions only, or that no file matches, may come to nothing; then the next one is the command. */
export const mayVanish = ({ text, parts = [] }: SyntaxWord): boolean =>
  staticText(text) === null &&
  tokensIn(text).length === 0 &&
  (parts.length > 0 || GLOB.test(text)) &&
  !parts.some(stays);

/** What is in quotes is a word, also when it is empty; but for a list that has nothing in it: `"$@"`. */
const stays = (part: NonNullable<SyntaxWord["parts"]>[number]): boolean =>
  part.type === "Literal" ? part.value !== "" : QUOTES.has(part.type) && !/\$.*@/s.test(part.text);

const QUOTES: ReadonlySet<string> = new Set(["SingleQuoted", "DoubleQuoted", "AnsiCQuoted", "LocaleString"]);

const GLOB = /[*?]|\[.*\]/s;

/** They start what they are given as well, and have options of their own before it. */
const ALSO_CARRIERS: ReadonlySet<string> = new Set("env xargs find eval docker podman nerdctl kubectl oc".split(" "));

export const isCarrier = (name: string): boolean =>
  Object.hasOwn(CARRIERS, name) || Object.hasOwn(MORE_CARRIERS, name) || ALSO_CARRIERS.has(name) || ALL_CODE.has(name);
