import { createRequire } from "node:module";
import { LIMITS } from "../../domain/limits.ts";
import { re2FromEcma } from "./ecma-pattern.ts";

/** Matches anywhere in a text, as JSON Schema says, in time linear in it. */
export interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** What matching costs, in the steps that `Work` counts. */
  readonly stepsFor: (text: string) => number;
  /** What it took to compile, in instructions. */
  readonly instructions: number;
}

export interface PatternProblem {
  readonly problem: string;
  /** What it took to find out. */
  readonly instructions: number;
}

/** A character may have to pass all instructions of the compiled pattern. */
const INSTRUCTIONS_PER_STEP = 32;
/** What takes as long to read as an instruction takes to be made: so many characters, and so much of one `\p{…}`. */
const CHARACTERS_PER_INSTRUCTION = 8;
const INSTRUCTIONS_PER_PROPERTY = 64;

/** RE2 and not the engine's own: `(a+)+$` and its like stop a process for hours, and schemas come from outside. */
export function linearPattern(pattern: string): LinearPattern | PatternProblem {
  const translation = re2FromEcma(pattern);
  if ("problem" in translation) return { ...translation, instructions: pattern.length / CHARACTERS_PER_INSTRUCTION };
  const { source } = translation;
  const re2 = compiled(source);
  const size = re2?.programSize() ?? 0;
  const instructions = size + readingCost(source);
  if (re2 === null || size > LIMITS.patternInstructions.default)
    return { problem: "uses what a linear-time engine does not have, or repeats too often", instructions };
  const stepsPerCharacter = 1 + size / INSTRUCTIONS_PER_STEP;
  return { test: (text) => re2.test(text), stepsFor: (text) => (text.length + 1) * stepsPerCharacter, instructions };
}

const readingCost = (source: string): number =>
  source.length / CHARACTERS_PER_INSTRUCTION + INSTRUCTIONS_PER_PROPERTY * (source.split(/\\p\{/i).length - 1);

const require = createRequire(import.meta.url);

function compiled(source: string) {
  // Loaded here, so that only those who have a pattern pay for it.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  try {
    return RE2JS.compile(source);
  } catch {
    return null;
  }
}
