import { LIMITS } from "../domain/limits.ts";
import { parseBash } from "./parse-bash.ts";
import { plainScript } from "./plain-line.ts";
import { reachOf } from "./reach-of.ts";
import { readArithmetic } from "./read-arithmetic.ts";
import { readStatements } from "./read-statements.ts";
import type { Reading } from "./reading.ts";
import { ScriptReader } from "./script-reader.ts";

export interface ReadOptions {
  /** Variables that the caller sets for all commands of the script. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the variables of slots hold, by their indexes; null = any value at all. */
  readonly slots?: readonly (string | null)[];
}

const STEPS = { script: readStatements, arithmetic: readArithmetic };

const CHARACTERS_MAX = LIMITS.shellCharacters.default;
const NESTING_MAX = LIMITS.shellDepth.maximum;

/** From the text of a bash script to all that it would run, open and connect to. Pure, and never throws for a script. */
export function readScript(text: string, { environment, slots }: ReadOptions = {}): Reading {
  const reader = new ScriptReader(STEPS);
  if (slots !== undefined) reader.slots = slots;
  if (environment !== undefined) setVariables(reader, environment);
  const limit = whyTooComplex(text);
  if (limit === null) readWhole(reader, text);
  else reader.giveUp(limit);
  return reader.finish();
}

function readWhole(reader: ScriptReader, text: string): void {
  const plain = plainScript(text);
  // A plain line has none of what could be odd.
  const odd = plain === null ? whyOdd(text) : null;
  if (odd === null) reader.nested(plain ?? parseBash(text), "here");
  else reader.say(odd);
}

/** Each command gets them. Their values come from the caller, so computing with one may run what it holds. */
function setVariables(reader: ScriptReader, environment: Readonly<Record<string, string>>): void {
  const env = Object.entries(environment).flatMap(([name, text]) => {
    reader.unsure.add(name);
    reader.inherited.add(name);
    return reachOf(reader, name, { text, known: true }, "command") ?? [];
  });
  reader.outer = { env, via: [] };
}

function whyTooComplex(text: string): string | null {
  if (text.length > CHARACTERS_MAX) return `it is longer than ${CHARACTERS_MAX} characters`;
  if (text.length > NESTING_MAX && (text.includes("(") || text.includes("{")) && nesting(text) > NESTING_MAX)
    return `it is nested more than ${NESTING_MAX} deep`;
  return null;
}

function whyOdd(text: string): string | null {
  if (text.includes("\0")) return "it holds a zero byte, at which bash and others part ways";
  return text.isWellFormed() ? null : "it is not valid Unicode text";
}

/** At least as deep as the parser would go: it takes much time for what is nested thousands of times. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x28 || unit === 0x7b) {
      if (++depth > deepest) deepest = depth;
    } else if ((unit === 0x29 || unit === 0x7d) && depth > 0) depth--;
  }
  return deepest;
}
