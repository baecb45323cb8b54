import type { ASTNode } from "@marcbachmann/cel-js";
import { quoted } from "../domain/visible.ts";
import { type ConditionBudget, OWN_PREFIX } from "./condition-budget.ts";
import { childrenOf, LOOPS } from "./condition-work.ts";
import type { PatternError } from "./pattern-error.ts";

export interface ConditionError extends PatternError {
  /** Where in the condition. */
  readonly offset: number;
}

/** Loops within loops: two are a search in lists of lists; a third would let a call's input hold the gate up. */
const LOOPS_MAX = 2;

type Use = "loop" | "paid" | "expression" | "literal" | "plain";

/** All that conditions may call. What is not here may take any time, or no rule has wanted it yet. */
const METHODS: ReadonlyMap<string, Use> = new Map([
  ...["contains", "startsWith", "endsWith", "lowerAscii", "trim", "size"].map((name): [string, Use] => [name, "paid"]),
  ...LOOPS.map((name): [string, Use] => [name, "loop"]),
  ...["getFullYear", "getMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes"].map((name): [string, Use] => [
    name,
    "literal",
  ]),
  ["matches", "expression"],
]);
const FUNCTIONS: ReadonlyMap<string, Use> = new Map([
  ["has", "plain"],
  ["int", "plain"],
  ["size", "paid"],
  ["timestamp", "literal"],
  ["duration", "literal"],
]);

/** Walks a parsed condition: collects its names, turns calls to functions that pay, and finds what it may not do. */
export class ConditionCheck {
  readonly names = new Set<string>();
  readonly #budget: ConditionBudget;

  constructor(budget: ConditionBudget) {
    this.#budget = budget;
  }

  problemOf(node: ASTNode, loops = 0): ConditionError | null {
    if (node.op === "value") return null;
    if (node.op === "id") this.names.add(node.args);
    const use = node.op === "call" || node.op === "rcall" ? this.#useOf(node) : "plain";
    if (typeof use === "object") return use;
    const depth = use === "loop" ? loops + 1 : loops;
    if (depth > LOOPS_MAX) return { error: "the condition has loops in loops in loops", offset: node.start };
    for (const child of childrenOf(node.args)) {
      const problem = this.problemOf(child, depth);
      if (problem !== null) return problem;
    }
    return null;
  }

  #useOf(node: ASTNode & { readonly op: "call" | "rcall" }): Use | ConditionError {
    const [name] = node.args;
    const [known, args] = node.op === "call" ? [FUNCTIONS, node.args[1]] : [METHODS, node.args[2]];
    const use = known.get(name);
    if (use === undefined) return unknownFunction(name, known, node.start);
    const literals = args.flatMap((arg) => (arg.op === "value" && typeof arg.args === "string" ? [arg.args] : []));
    if ((use === "literal" || use === "expression") && literals.length < args.length)
      return { error: `what \`${name}\` is given has to be written out in the condition`, offset: node.start };
    if (use === "expression") return this.#expression(node, literals);
    if (use === "paid") node.args[0] = OWN_PREFIX + name;
    return use;
  }

  #expression(
    node: ASTNode & { readonly op: "call" | "rcall" },
    [pattern = ""]: readonly string[],
  ): Use | ConditionError {
    const bad = this.#budget.addExpression(pattern);
    if (bad !== null)
      return { error: `${quoted(pattern)} is no expression that \`matches\` knows (${bad.error})`, offset: node.start };
    node.args[0] = `${OWN_PREFIX}matches`;
    return "expression";
  }
}

function unknownFunction(name: string, known: ReadonlyMap<string, Use>, offset: number): ConditionError {
  const hint = `there are ${[...known.keys()].map((one) => `\`${one}\``).join(", ")}`;
  return { error: `${quoted(name)} is no function that conditions have`, hint, offset };
}
