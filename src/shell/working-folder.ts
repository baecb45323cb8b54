import type { SyntaxNode } from "unbash";
import type { FlowingCommand, FlowingWord } from "./flow-uses.ts";
import { forEachChild } from "./parse-bash.ts";
import { headOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();
const GOES = /^(?:cd|pushd)$/;
const GOES_ON: ReadonlySet<string> = new Set(["While", "For", "Select", "ArithmeticFor"]);
const RETURNS: ReadonlySet<string> = new Set(["Subshell", "CommandExpansion", "ProcessSubstitution"]);

/** Which values say in what folder the script works, from one command to the next. */
export class WorkingFolder {
  #here: Values = NONE;
  /** Gone to since the function began that is looked at. */
  #went: Values = NONE;
  #ever: Values = NONE;

  /** What says where a name leads that is written without its folder. */
  of({ text, shape, isStatic }: FlowingWord): Values {
    return (isStatic ? text : headOf(shape)).startsWith("/") || (!isStatic && headOf(shape) === "") ? NONE : this.#here;
  }

  begin(): void {
    this.#here = NONE;
  }

  /** Whether that is anything new. */
  go({ words }: FlowingCommand): boolean {
    // Also behind `command` and `builtin`.
    if (!words.slice(0, 2).some(({ text }) => GOES.test(text))) return false;
    const before = this.#ever.size;
    const values = words.reduce<Values>((all, { flow }) => all.union(flow.holds), NONE);
    this.#here = this.#here.union(values);
    this.#went = this.#went.union(values);
    this.#ever = this.#ever.union(values);
    return this.#ever.size > before;
  }

  /** A subshell comes back to where it began, a loop comes round, and a function is called from anywhere. */
  within(node: SyntaxNode, visit: () => void): void {
    const [before, went] = [this.#here, this.#went];
    if (node.type === "Function") this.#went = NONE;
    if (node.type === "Function" || (GOES_ON.has(node.type) && this.#ever.size > 0 && goesIn(node)))
      this.#here = before.union(this.#ever);
    visit();
    if (node.type === "Function") this.#here = before.union(this.#went);
    if (!RETURNS.has(node.type)) return;
    this.#here = before;
    this.#went = went;
  }
}

function goesIn(node: SyntaxNode): boolean {
  let found = false;
  const visit = (child: SyntaxNode): void => {
    if (child.type === "Command") found ||= /^(?:cd|pushd|command|builtin)$/.test(child.name?.text ?? "");
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}
