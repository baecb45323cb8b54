import type { SyntaxNode } from "unbash";
import type { FlowingCommand, FlowingWord } from "./flow-uses.ts";
import { forEachChild } from "./parse-bash.ts";
import type { Variables } from "./value-flow.ts";
import { headOf, type Shape } from "./word-shape.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();
const GOES = /^(?:cd|pushd|popd)$/;
/** Paths that begin so are whole ones, whatever follows. */
const WHOLE = /^["']?\$\{?(?:HOME|TMPDIR)\b|^["']?\$\(\s*mktemp\b/;
const GOES_ON: ReadonlySet<string> = new Set(["While", "For", "Select", "ArithmeticFor"]);
const RETURNS: ReadonlySet<string> = new Set(["Subshell", "CommandExpansion", "ProcessSubstitution"]);

/** Which values say in what folder the script works, from one command to the next. */
export class WorkingFolder {
  #here: Values = NONE;
  /** Gone to since the function began that is looked at. */
  #went: Values = NONE;
  #ever: Values = NONE;

  /** What says in which folder the script stands. */
  get here(): Values {
    return this.#here;
  }

  /** What says where a name leads that is written without its folder, or that is known only at run time. */
  of({ text, raw, shape, isStatic }: FlowingWord): Values {
    return (isStatic ? text : headOf(shape)).startsWith("/") || (!isStatic && WHOLE.test(raw)) ? NONE : this.#here;
  }

  ofFile = (shape: Shape): Values => {
    const [first] = shape;
    const raw = typeof first === "string" ? first : (first?.raw ?? "");
    return raw.startsWith("/") || WHOLE.test(raw) ? NONE : this.#here;
  };

  /** What another shell does to its folder is its own. */
  aside(visit: () => void): void {
    const [here, went] = [this.#here, this.#went];
    visit();
    this.#here = here;
    this.#went = went;
  }

  /** What may run at any time runs wherever the script has been to. */
  anywhere(visit: () => void): void {
    const here = this.#here;
    this.#here = here.union(this.#ever);
    visit();
    this.#here = here;
  }

  begin(): void {
    this.#here = NONE;
  }

  /** Where a command goes to, by those values that are the model's own words. */
  go(
    { words }: FlowingCommand,
    { variable }: Pick<Variables, "variable">,
    free: (values: Values) => Values,
  ): { readonly values: Values; readonly isNew: boolean } {
    // Also behind `command` and `builtin`.
    const at = words.slice(0, 2).findIndex(({ text }) => GOES.test(text));
    if (at === -1) return { values: NONE, isNew: false };
    const before = this.#ever.size;
    const named = words.slice(at + 1).reduce<Values>((all, { flow }) => all.union(flow.holds), NONE);
    // `cd -`, `popd`: back to where it was before.
    const isBack = words.length === at + 1 || words.slice(at + 1).some(({ text }) => /^[-+]\d*$/.test(text));
    const back = isBack ? variable("OLDPWD").holds.union(variable("DIRSTACK").holds) : NONE;
    const values = free(named.union(back));
    this.#here = this.#here.union(values);
    this.#went = this.#went.union(values);
    this.#ever = this.#ever.union(values);
    return { values: this.#here, isNew: this.#ever.size > before };
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
    if (child.type === "Command") found ||= /^(?:cd|pushd|popd|command|builtin)$/.test(child.name?.text ?? "");
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}
