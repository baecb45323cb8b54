import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import type { CallFacts } from "../domain/call-facts.ts";
import type { Touch } from "../domain/touch.ts";
import { visibleLine } from "../domain/visible.ts";
import { ConditionBudget, OWN_PREFIX } from "./condition-budget.ts";
import { ConditionCheck, type ConditionError } from "./condition-check.ts";
import { declareVariables, VARIABLE_NAMES, variablesFor } from "./condition-variables.ts";
import { meterErrors, meterWork } from "./condition-work.ts";

/** A `when`, compiled. Pure: the same touch and the same facts get the same answer. */
export interface Condition {
  /** Which variables it asks about. */
  readonly names: ReadonlySet<string>;
  /** A fault says why it can't be decided. It is never a false. */
  readonly decide: (touch: Touch, facts: CallFacts) => boolean | { readonly fault: string };
}

export type CompileCondition = (text: string) => Condition | ConditionError;

/** The two packages that conditions need, the second only for `matches`. Loaded by whoever reads the rules. */
export interface ConditionParts {
  readonly cel: Pick<typeof import("@marcbachmann/cel-js"), "Environment">;
  readonly re2: () => Pick<typeof import("re2js"), "RE2JS">;
}

/** More than a person can check at a glance is not a condition; the parser's own limits are far higher. */
export const CONDITION_LENGTH_MAX = 2000;
const LIMITS = { maxAstNodes: 1000, maxDepth: 50, maxListElements: 100, maxMapEntries: 100 };

/** The language of conditions: CEL, with names that are known beforehand and with functions that can't run away. */
export function conditionCompiler({ cel, re2 }: ConditionParts): CompileCondition {
  const budget = new ConditionBudget((pattern) => re2().RE2JS.compile(pattern));
  const environment = declareVariables(budget.declareFunctions(new cel.Environment({ limits: LIMITS })));
  meterErrors(environment, budget);
  return (text) => {
    const parsed = parsedFrom(environment, text);
    if ("error" in parsed) return parsed;
    const check = new ConditionCheck(budget);
    const problem = check.problemOf(parsed.ast) ?? typeProblem(parsed.check());
    if (problem !== null) return problem;
    meterWork(parsed.ast, budget);
    return {
      names: check.names.intersection(VARIABLE_NAMES),
      decide: (touch, facts) => decided(() => parsed(variablesFor(touch, facts)), budget),
    };
  };
}

function parsedFrom(environment: Environment, text: string): ParseResult | ConditionError {
  if (text.length > CONDITION_LENGTH_MAX)
    return {
      error: `the condition has ${text.length} characters, at most ${CONDITION_LENGTH_MAX} are read`,
      offset: 0,
    };
  try {
    return environment.parse(text);
  } catch (cause) {
    return errorFrom(cause);
  }
}

function typeProblem({ valid, type, error }: ReturnType<Environment["check"]>): ConditionError | null {
  if (!valid) return errorFrom(error);
  // What only the call knows is looked at when the call is there.
  if (type === "bool" || type === "dyn") return null;
  return { error: `the condition gives a ${type}, and has to give true or false`, offset: 0 };
}

function decided(evaluate: () => unknown, budget: ConditionBudget): boolean | { readonly fault: string } {
  budget.refill();
  try {
    const value = evaluate();
    return typeof value === "boolean" ? value : { fault: "its condition is neither true nor false" };
  } catch (cause) {
    return { fault: `its condition can't be decided: ${saidBy(cause)}` };
  }
}

const errorFrom = (cause: unknown): ConditionError => ({
  error: `the condition can't be read: ${saidBy(cause)}`,
  // Every error of the parser and the checker has a range: the version is pinned, and 300,000 random texts say so too.
  offset: (cause as { readonly range: { readonly start: number } }).range.start,
});

/** The language's own words, in our way: one line, lower case, short, without the names that we gave its functions. */
function saidBy(cause: unknown): string {
  const { code, summary } = cause as { readonly code?: string; readonly summary?: string };
  if (code === "unsupported_type") return "a part of the input is too large or too deep for a condition";
  const words = visibleLine((summary ?? "it can't be worked out").slice(0, SAID_MAX)).replaceAll(OWN_PREFIX, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

const SAID_MAX = 200;
