import type { ParsedScript, Redirection, SyntaxNode } from "unbash";
import { forEachChild } from "./parse-bash.ts";
import { staticText } from "./static-text.ts";
import { ARGUMENTS } from "./value-flow.ts";
import { shapeOf } from "./word-shape.ts";

const FILLS = /^(?:read|mapfile|readarray|getopts|printf)$/;
const NAMES = /[A-Za-z_]\w*/g;

/**
 * Which names each variable may hold as a text, or be set from: `a=b; echo $((a))` computes with `b`, and runs what that holds. Found
 * by what is written where a variable is set; too many rather than too few.
 */
export class HeldNames {
  readonly #names = new Map<string, Set<string>>();
  readonly #functions = new Set(["set"]);
  /** What commands are told, by their names. */
  readonly #told = new Map<string, string[]>();

  constructor(script: ParsedScript) {
    this.#visit(script);
    for (const [called, texts] of this.#told) if (this.#functions.has(called)) this.#add(ARGUMENTS, ...texts);
  }

  /** All that computing with a variable may come to, and itself. */
  from(name: string): ReadonlySet<string> {
    const names = new Set([name]);
    // A set goes on with what is added to it meanwhile.
    for (const one of names) for (const held of this.#names.get(one) ?? []) names.add(held);
    return names;
  }

  readonly #visit = (node: SyntaxNode): void => {
    if (node.type === "Assignment") this.#add(node.name, node.text.replace(/^\w+(?:\[[^\]]*\])?\+?=/, ""));
    else if (node.type === "For" || node.type === "Select")
      this.#add(node.name.text, ...(node.wordlist?.map(({ text }) => text) ?? ["$@"]));
    else if (node.type === "Function") this.#functions.add(node.name.text);
    else if (node.type === "Command") {
      const words = [node.name, ...node.args].map((word) => word?.text ?? "");
      const texts = [...words.slice(1), ...node.redirects.map(textTo)];
      const called = words.map(staticText).find((text) => text !== "command" && text !== "builtin") ?? "";
      this.#told.set(called, [...(this.#told.get(called) ?? []), ...texts]);
      if (FILLS.test(called))
        for (const name of words.join(" ").replace(/ -v/g, " ").match(NAMES) ?? []) this.#add(name, ...given(texts));
    }
    forEachChild(node, this.#visit);
  };

  #add(name: string, ...texts: readonly string[]): void {
    const names = this.#names.get(name) ?? new Set<string>();
    this.#names.set(name, names);
    for (const text of texts) for (const one of namesIn(text)) names.add(one);
  }
}

/** Without options, and places in a format. */
const given = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => !text.startsWith("-")).map((text) => text.replace(/%[a-zA-Z]/g, " "));

const textTo = (redirect: Redirection): string =>
  (redirect.type === "HereDoc" ? redirect.body.text : redirect.target?.text) ?? "";

/** `$(wc -l < "$f")` prints no name of the script's, `${#a}` is a number, and of `${a:+b}` only what follows counts. */
function namesIn(text: string): readonly string[] {
  return shapeOf(text).flatMap((part): readonly string[] => {
    if (typeof part === "string") return part.match(NAMES) ?? [];
    if (/^\$[\d@*]|^\$\{[\d@*]/.test(part.raw)) return [ARGUMENTS];
    const [, printed] = /^(?:\$\(|`)\s*(?:echo|printf|cat)\b(.*).$/s.exec(part.raw) ?? [];
    if (printed !== undefined) return namesIn(printed);
    if (/^(?:\$\(|`|\$\{#)/.test(part.raw)) return [];
    return part.raw.replace(/^\$\{\w+:?\+/, "").match(NAMES) ?? [];
  });
}
