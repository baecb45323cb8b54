import type { Environment } from "@marcbachmann/cel-js";
import type { RE2JS } from "re2js";
import { isInText } from "../domain/places-in-text.ts";

/** Names of our functions begin with this: the language does not let its own be replaced. */
export const OWN_PREFIX = "toolgate_";

/** How many characters one evaluation may look at: some milliseconds, whatever a call brings along. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
/** What the expression engine takes for one character, in characters of a plain search: at least, and per instruction. */
const EXPRESSION_COST = { least: 32, perInstruction: 4 };
/** What a step takes, in characters: one node of a loop's body, or two lists compared. */
const STEP_COST = 8;

type Compile = (pattern: string) => RE2JS;

/**
 * What a condition may do, and what it has left of that. All whose time grows with what it is given pays for it: functions
 * by the text, here; loops, comparing and joining by their steps, in `condition-work.ts`.
 */
export class ConditionBudget {
  readonly #compile: Compile;
  readonly #expressions = new Map<string, RE2JS>();
  #charactersLeft = 0;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  refill(): void {
    this.#charactersLeft = CHARACTERS_MAX;
  }

  /** Linear in time (RE2), unlike the language's own `matches`, and compiled when the rules are. */
  addExpression(pattern: string): { readonly error: string } | null {
    try {
      this.#expressions.set(pattern, this.#compile(pattern));
      return null;
    } catch (cause) {
      return { error: (cause as Error).message };
    }
  }

  declareFunctions(environment: Environment): Environment {
    const functions: Readonly<Record<string, (a: string, b: string) => unknown>> = {
      "string.contains(string): bool": (a, b) => isInText(this.#paid(a, b), b),
      "string.startsWith(string): bool": (a, b) => a.startsWith(this.#paid(b)),
      "string.endsWith(string): bool": (a, b) => a.endsWith(this.#paid(b)),
      "string.lowerAscii(): string": (a) => this.#paid(a).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      "string.trim(): string": (a) => this.#paid(a).trim(),
      "string.matches(string): bool": (a, b) => this.#matches(a, b),
      "string.size(): int": (a) => BigInt(Array.from(this.#paid(a)).length),
      "size(string): int": (a) => BigInt(Array.from(this.#paid(a)).length),
    };
    for (const [signature, handler] of Object.entries(functions)) {
      environment.registerFunction(signature.replace(/\w+(?=\()/, `${OWN_PREFIX}$&`), handler, { async: false });
    }
    return withSizes(environment);
  }

  #matches(text: string, pattern: string): boolean {
    const expression = this.#expressions.get(pattern) as RE2JS; // added when the condition was checked
    this.pay(text.length * (EXPRESSION_COST.least + EXPRESSION_COST.perInstruction * expression.programSize()));
    return expression.test(text);
  }

  #paid(text: string, other = ""): string {
    this.pay(text.length + other.length);
    return text;
  }

  pay(characters: number): void {
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw Object.assign(new Error(), { summary: "there is too much to look at" });
  }

  paySteps(steps: number): void {
    this.pay(steps * STEP_COST);
  }
}

function withSizes(environment: Environment): Environment {
  const ofList = (list: readonly unknown[]): bigint => BigInt(list.length);
  const ofMap = (map: ReadonlyMap<unknown, unknown>): bigint =>
    BigInt(map instanceof Map ? map.size : Object.keys(map).length);
  return environment
    .registerFunction(`list.${OWN_PREFIX}size(): int`, ofList, { async: false })
    .registerFunction(`map.${OWN_PREFIX}size(): int`, ofMap, { async: false })
    .registerFunction(`${OWN_PREFIX}size(list): int`, ofList, { async: false })
    .registerFunction(`${OWN_PREFIX}size(map): int`, ofMap, { async: false });
}
