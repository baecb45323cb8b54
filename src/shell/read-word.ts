import type { ParameterExpansionPart, Word as SyntaxWord, WordPart } from "unbash";
import type { Word } from "../domain/touch.ts";
import { setsVariable } from "./reach-of.ts";
import type { ScriptReader } from "./script-reader.ts";
import { ABSENT, VALUES } from "./slot-names.ts";
import { isPlain, staticText } from "./static-text.ts";

/**
 * One word of a script: its text if bash can do no other than that, and all that is run to find out. The parser's parts
 * are asked for only where they matter, since it makes them then.
 */
export function wordOf(reader: ScriptReader, word: SyntaxWord): Word {
  const { text: raw } = word;
  if (isPlain(raw)) return { text: raw, known: true };
  const text = staticText(raw);
  if (text === null) return plainlyUnknown(raw) ?? expandedWord(reader, word);
  // Bash 5.2 prints a substitution and reads it again, and loses a `;` behind such a word on the way.
  if (raw.endsWith("\\&")) reader.say("a word ends in `\\&`, behind which bash loses a separator");
  return { text, known: true };
}

/** Variables by their bare names, in quotes, and patterns: nothing in them is run, and no part of them is of interest. */
const ONE_WORD = /^"(?:[^"\\$`]|\$[A-Za-z_]\w*)*"$/;
const MANY_WORDS = /^(?:\$[A-Za-z_]\w*|[\w./*?-]+)$/;

function plainlyUnknown(raw: string): Word | null {
  if (ONE_WORD.test(raw)) return { text: raw, known: false };
  return MANY_WORDS.test(raw) ? { text: raw, known: false, many: true } : null;
}

function expandedWord(reader: ScriptReader, { text: raw, parts }: SyntaxWord): Word {
  const found = readParts(reader, parts ?? []);
  if (isHome(raw, parts))
    return { text: raw, known: false, ...(found.many && { many: true }), hazard: "names a home folder" };
  // A word that has nothing for the parser and something for us is one that the two disagree about.
  if (parts === undefined || found.text === null) return unknownWord(raw, found.many || parts === undefined);
  return { text: found.text, known: true };
}

const isHome = (raw: string, parts: SyntaxWord["parts"]): boolean =>
  raw.startsWith("~") ||
  (parts === undefined ? BEHIND.test(raw) : parts.some((part) => part.type === "Literal" && BEHIND.test(part.text)));

const BEHIND = /[:=]~/;

const unknownWord = (raw: string, many: boolean): Word =>
  many ? { text: raw, known: false, many } : { text: raw, known: false };

interface Found {
  /** Null = not known. */
  readonly text: string | null;
  readonly many: boolean;
}

/** Walks every part, also of a word that is not known any more: what it runs is run all the same. */
export function readParts(reader: ScriptReader, parts: readonly WordPart[], isQuoted = false): Found {
  let text: string | null = "";
  let many = false;
  for (const part of parts) {
    const found = readPart(reader, part, isQuoted);
    text = text === null || found.text === null ? null : text + found.text;
    many ||= found.many;
  }
  return { text, many };
}

const KNOWN = (text: string): Found => ({ text, many: false });
const ONE: Found = { text: null, many: false };
const MANY: Found = { text: null, many: true };

function readPart(reader: ScriptReader, part: WordPart, isQuoted: boolean): Found {
  switch (part.type) {
    case "Literal":
      return KNOWN(part.value);
    case "SingleQuoted":
      return KNOWN(part.value);
    case "AnsiCQuoted":
      return isPlainAnsiC(part.text) ? KNOWN(part.value) : ONE;
    case "DoubleQuoted":
      return readParts(reader, part.parts, true);
    case "LocaleString":
      // Its text is looked up in a catalog of messages.
      return { ...readParts(reader, part.parts, true), text: null };
    case "SimpleExpansion":
      return isQuoted && part.text !== "$@" ? ONE : MANY;
    case "ParameterExpansion": {
      const slot = readSlot(reader, part, isQuoted);
      if (slot !== null) return slot;
      readExpansion(reader, part);
      if (isQuoted) readQuotedOperand(reader, part);
      return isQuoted && !mayBeMany(part) ? ONE : MANY;
    }
    case "CommandExpansion":
      reader.nested(part.script, "subshell");
      return isQuoted ? ONE : MANY;
    case "ProcessSubstitution":
      reader.nested(part.script, "subshell");
      return ONE;
    case "ArithmeticExpansion":
      reader.arithmetic(part.expression);
      return isQuoted ? ONE : MANY;
    case "Glob":
    case "BraceExpansion":
      readParts(reader, part.parts ?? []);
      return MANY;
    case "ExtendedGlob":
      // Bash has these switched off in scripts, and reads some of them as commands: `!(rm x)`.
      readParts(reader, part.parts ?? []);
      reader.say("it has an extended pattern, which bash reads in one of two ways");
      return MANY;
    default:
      reader.say("it has a word of a kind that can't be read");
      return part satisfies never;
  }
}

/** A variable that stands for a slot is its value; nothing in a script can change it. Null = this is none. */
function readSlot(reader: ScriptReader, part: ParameterExpansionPart, isQuoted: boolean): Found | null {
  if (part.parameter === ABSENT) {
    reader.isUnreachable = true;
    return ONE;
  }
  if (part.parameter !== VALUES || reader.slots.length === 0) return null;
  const value = reader.slots[Number(part.index?.text)];
  return isQuoted && typeof value === "string" && part.operation === undefined ? KNOWN(value) : ONE;
}

/** In double quotes a single quote inside `${x:-…}` is a letter to bash, and opens a text for the parser. */
function readQuotedOperand(reader: ScriptReader, { text }: ParameterExpansionPart): void {
  if (text.includes("'")) reader.say("it has a single quote inside an expansion in double quotes");
}

const mayBeMany = ({ parameter, index, prefix, operation }: ParameterExpansionPart): boolean =>
  parameter === "@" || index?.text === "@" || prefix === "!" || operation?.type === "Default";

/** Escapes of which bash and we are sure. A zero ends the text, and the rest depends on the locale. */
const isPlainAnsiC = (text: string): boolean =>
  !/\\(?:0{1,3}(?![0-7])|x(?:0{1,2})?(?![0-9a-fA-F])|c|u|U|[89])/.test(text.replaceAll("\\\\", "")) && isAscii(text);

/** `\xE9` alone is a byte and no character, so that the text would not be what bash passes on. */
const isAscii = (text: string): boolean =>
  !/\\x[89a-fA-F][0-9a-fA-F]|\\[2-7][0-7]{2}/.test(text.replaceAll("\\\\", ""));

function readExpansion(reader: ScriptReader, part: ParameterExpansionPart): void {
  const { index, operation, prefix, parameter } = part;
  if (index !== undefined && index.text !== "@" && index.text !== "*") readSubscript(reader, index);
  // `${!a[@]}` lists the indexes; with anything behind it (`${!a[@]:-x}`) it follows a name as well.
  const isListing = operation?.type === "Names" || (operation === undefined && /^[@*]$/.test(index?.text ?? ""));
  if (prefix === "!" && !isListing) reader.say(`\`\${!${parameter}}\` follows a name that is known only at run time`);
  switch (operation?.type) {
    case undefined:
    case "Names":
      return;
    case "Default":
      if (operation.operator.endsWith("=")) {
        reader.unsure.add(parameter);
        setsVariable(reader, parameter);
      }
      wordOf(reader, operation.operand);
      return;
    case "Remove":
    case "CaseModification":
      if (operation.operand) wordOf(reader, operation.operand);
      return;
    case "Replace":
      wordOf(reader, operation.pattern);
      wordOf(reader, operation.replacement);
      return;
    case "Slice":
      readSubscript(reader, operation.offset);
      if (operation.length) readSubscript(reader, operation.length);
      return;
    case "Transform":
      if (operation.operand.text === "P" || !/^\w$/.test(operation.operand.text))
        reader.say(`\`\${${parameter}@${operation.operand.text}}\` runs commands inside a value`);
      return;
    default:
      reader.say("it has an expansion that can't be read");
  }
}

const SAFE_SUBSCRIPT = /^\s*-?\d+\s*$|^$/;
const NAME = /^\s*\$?\{?([A-Za-z_]\w*)\}?\s*$/;
const COUNT = /^\s*\$(?:[#?$!]|\{#[^{}$`]*\})\s*$/;

/** What names an element of a list, and no more than computes a number where the list has no names. */
export const KEY = /^[\w .,:/@%+=-]*$/;

/** Quotes make no text of it: unless the list has names for indexes, which nobody knows for sure, `x["n"]` computes with `n`. */
export function readKey(reader: ScriptReader, key: string): void {
  for (const [name] of key.matchAll(/[A-Za-z_]\w*/g)) reader.computed.add(name);
}

/** Text that bash computes: a subscript, an offset. Names in it are code as well. */
export function readSubscript(reader: ScriptReader, word: SyntaxWord): void {
  const { text } = word;
  if (SAFE_SUBSCRIPT.test(text)) return;
  if (COUNT.test(text)) return void readParts(reader, word.parts ?? []);
  const [, name] = NAME.exec(text) ?? [];
  if (name !== undefined) reader.computed.add(name);
  else if (/^[\w\s+*/%()-]+$/.test(text)) for (const [one] of text.matchAll(/[A-Za-z_]\w*/g)) reader.computed.add(one);
  else {
    const found = readParts(reader, word.parts ?? []);
    const [only] = word.parts ?? [];
    const isSum = word.parts?.length === 1 && only?.type === "ArithmeticExpansion";
    const isKey = found.text !== null && KEY.test(found.text) && /^["']/.test(text);
    if (isKey) readKey(reader, found.text ?? "");
    if (!isSum && !isKey) reader.say("a subscript or offset is computed from a value that may hold commands");
  }
}
