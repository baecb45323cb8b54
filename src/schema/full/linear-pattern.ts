import { createRequire } from "node:module";
import { LIMITS } from "../../domain/limits.ts";
import { re2FromEcma } from "./ecma-pattern.ts";

/** Matches anywhere in a text, as JSON Schema says, in time linear in it. */
export interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** What matching costs, in the steps that `Work` counts. */
  readonly stepsFor: (text: string) => number;
}

export interface PatternProblem {
  readonly problem: string;
}

/** A character may have to pass all instructions of the compiled pattern. */
const INSTRUCTIONS_PER_STEP = 32;

/** RE2 and not the engine's own: `(a+)+$` and its like stop a process for hours, and schemas come from outside. */
export function linearPattern(pattern: string): LinearPattern | PatternProblem {
  const translation = re2FromEcma(pattern);
  if ("problem" in translation) return translation;
  const re2 = compiled(translation.source);
  if (re2 === null) return { problem: "uses what a linear-time engine does not have, or repeats too often" };
  const stepsPerCharacter = 1 + re2.programSize() / INSTRUCTIONS_PER_STEP;
  return { test: (text) => re2.test(text), stepsFor: (text) => (text.length + 1) * stepsPerCharacter };
}

const require = createRequire(import.meta.url);

function compiled(source: string) {
  // Loaded here, so that only those who have a pattern pay for it.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  try {
    const re2 = RE2JS.compile(source);
    return re2.programSize() > LIMITS.patternInstructions.default ? null : re2;
  } catch {
    return null;
  }
}
