import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { type ConditionBudget, OWN_PREFIX } from "./condition-budget.ts";

export const LOOPS = ["all", "exists", "exists_one", "filter", "map"] as const;
const isLoop = (node: ASTNode): node is ASTNode & { readonly op: "rcall" } =>
  node.op === "rcall" && LOOPS.some((name) => name === node.args[0]);

/** Of these functions those that are given a time zone take a third of a millisecond. */
const ZONED = /^get[A-Z]/;
const STEPS = { node: 1, zoned: 3000, error: 250 };
const DECIMAL = /^[+-]?[0-9]+$/;
/** What comparing two values takes that hold no others, in characters: less than a step. */
const PLAIN_COST = 4;

type Handle = (left: unknown, right: unknown, ...more: unknown[]) => unknown;

/** What the checker leaves on a node: what is done with the values of its parts. The package's types don't tell it. */
interface Checked {
  handle: Handle;
  readonly meta: { readonly alternate?: Checked };
}

/** What runs conditions, and hands on as a value what was thrown where another part may still decide. */
interface Evaluator {
  readonly run: (node: unknown, context: unknown) => unknown;
  tryEval: (node: unknown, context: unknown) => unknown;
}

/**
 * Has errors pay, of which every turn of a loop may make one, and lets none go by once the budget is spent: then
 * nothing that is left of the condition is looked at.
 */
export function meterErrors(environment: Environment, budget: ConditionBudget): Environment {
  const name = `${OWN_PREFIX}meter()`; // functions are called on the evaluator, and there is no other way to it
  environment.registerFunction(`${name}: bool`, meter, { async: false }).evaluate(name);
  return environment;

  function meter(this: Evaluator): boolean {
    this.tryEval = (node, context) => {
      try {
        return this.run(node, context);
      } catch (error) {
        budget.paySteps(STEPS.error);
        return error;
      }
    };
    return true;
  }
}

/** Has a checked condition pay for its loops, before they run, and for what compares or joins values. */
export function meterWork(node: ASTNode, budget: ConditionBudget): void {
  const checked = node as unknown as Checked;
  const { alternate } = checked.meta;
  if (isLoop(node) && alternate !== undefined) payFirst(alternate, payForTurns(node.args[2], budget));
  const paysItself = node.op === "call" && node.args[0] !== "int";
  const pay = paysItself ? undefined : PAYMENTS[node.op];
  if (pay !== undefined) payFirst(checked, (left, right) => pay(budget, left, right));
  for (const child of childrenOf(node.args)) meterWork(child, budget);
}

function payFirst(checked: Checked, pay: (left: unknown, right: unknown) => void): void {
  const { handle } = checked;
  checked.handle = (left, right, ...more) => {
    pay(left, right);
    return handle(left, right, ...more);
  };
}

function payForTurns(parts: readonly ASTNode[], budget: ConditionBudget): (items: unknown) => void {
  const steps = parts.reduce((sum, part) => sum + stepsOf(part), 0);
  return (items) => budget.paySteps(lengthOf(items) * steps);
}

/** Of one turn. A loop within pays for its own turns. */
function stepsOf(node: ASTNode): number {
  const isZoned = node.op === "rcall" && ZONED.test(node.args[0]) && node.args[2].length > 0;
  const parts = isLoop(node) ? [node.args[1]] : childrenOf(node.args);
  return parts.reduce((sum, part) => sum + stepsOf(part), isZoned ? STEPS.zoned : STEPS.node);
}

type Pay = (budget: ConditionBudget, left: unknown, right: unknown) => void;

const payForOrder: Pay = (budget, left, right) => {
  if (typeof left === "string" && typeof right === "string") budget.pay(Math.min(left.length, right.length));
};

const PAYMENTS: Readonly<Partial<Record<ASTNode["op"], Pay>>> = {
  "==": paySame,
  "!=": paySame,
  in: (budget, value, list) => {
    if (Array.isArray(list)) list.some((item) => paySame(budget, value, item));
  },
  // A joined text is not put together before somebody looks at it, and then as a whole.
  "+": (budget, left, right) => {
    if (typeof left === "string" && typeof right === "string") budget.pay(left.length + right.length);
    else if (Array.isArray(left) && Array.isArray(right)) budget.paySteps(left.length + right.length);
  },
  // `int`: of the language's own functions it alone looks at texts that a call brings along.
  call: (budget, args) => {
    for (const arg of [args].flat()) {
      if (typeof arg !== "string") continue;
      budget.pay(arg.length);
      // The package takes `` for 0 and `0X1F` for 31, which are no numbers to the language.
      if (!DECIMAL.test(arg)) throw Object.assign(new Error(), { summary: "int() type error: cannot convert to int" });
    }
  },
  "<": payForOrder,
  "<=": payForOrder,
  ">": payForOrder,
  ">=": payForOrder,
};

/** Goes as far as the language does to find out whether two values are the same; false only where it stops, too. */
function paySame(budget: ConditionBudget, left: unknown, right: unknown): boolean {
  budget.pay(PLAIN_COST);
  if (typeof left === "string" && typeof right === "string") {
    if (left.length !== right.length) return false;
    budget.pay(left.length);
    return left === right;
  }
  if (left === right || !isHolder(left) || !isHolder(right)) return left === right || typeof left !== typeof right;
  budget.paySteps(STEPS.node);
  if (lengthOf(left) !== lengthOf(right)) return false;
  if (Array.isArray(left) && Array.isArray(right))
    return left.every((item, index) => paySame(budget, item, right[index]));
  return membersOf(left).every(([key, member]) => {
    budget.pay(key.length);
    const other = memberOf(right, key);
    return other !== undefined && paySame(budget, member, other);
  });
}

/** Maps that a condition itself has written out are plain objects; what stands in them may be a call's all the same. */
const membersOf = (value: object): readonly (readonly [string, unknown])[] =>
  value instanceof Map ? [...value] : Object.entries(value);

const memberOf = (value: object, key: string): unknown =>
  value instanceof Map ? value.get(key) : Reflect.get(value, key);

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;

const lengthOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.length
    : value instanceof Map
      ? value.size
      : isHolder(value)
        ? Object.keys(value).length
        : 0;

/** The nodes among a node's arguments, which are nodes, names, lists of nodes and lists of pairs of nodes. */
export const childrenOf = (args: unknown): readonly ASTNode[] =>
  Array.isArray(args) ? args.flatMap(childrenOf) : typeof args === "object" && args !== null ? [args as ASTNode] : [];
