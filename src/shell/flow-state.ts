import type { Command, ParsedScript, Redirection } from "unbash";
import { ConstantValues } from "./constant-values.ts";
import { isPlainProgram } from "./data-programs.ts";
import { filesBefore } from "./file-writers.ts";
import {
  type CodeUse,
  codeInVariable,
  type FlowingCommand,
  type FlowingWord,
  NO_HEADS,
  type SlotFlow,
} from "./flow-uses.ts";
import type { HeldNames } from "./held-names.ts";
import { insideRedirect } from "./input-parts.ts";
import { parseBash } from "./parse-bash.ts";
import { printsNames } from "./printed-names.ts";
import { programName } from "./program-name.ts";
import { Surroundings, type ValueKinds } from "./surroundings.ts";
import { type Flow, isSame, isToldOnly, mentions, merged, NOTHING } from "./value-flow.ts";
import type { WhereValuesAre } from "./where-values-are.ts";
import { shapeOf } from "./word-shape.ts";
import type { WrittenFiles } from "./written-files.ts";

export type Values = ReadonlySet<number>;
export const NONE: Values = new Set();

/** What prints variables, or puts them into a text. */
const PRINTS_VARIABLES = /^(?:envsubst|printenv|set|declare|typeset|export)$/;

/** `declare -p`, `set`: all that the shell's variables hold. */
const printsVariables = ({ name, args }: Command): boolean =>
  /^(?:set|declare|typeset|export|readonly|local)$/.test(name?.text ?? "") &&
  args.every(({ text }) => text.startsWith("-") || !text.includes("=")) &&
  (args.length === 0 || (name?.text !== "set" && args.some(({ text }) => /^-[a-zA-Z]*p/.test(text))));

/** Of those whose options are looked at, what prints only what it reads. */
const PRINTS_INPUT = /^(?:sort|split|install|patch|cpio)$/;

const printsNothingUnasked = (name: string): boolean =>
  PRINTS_INPUT.test(name) || (isPlainProgram(name) && !PRINTS_VARIABLES.test(name));

/** What was found out of where values get to, so far. */
export class FlowState implements SlotFlow {
  code: CodeUse | null = null;
  /** Found in a script inside the script. */
  inner: CodeUse | null = null;
  heads = NO_HEADS;
  protected functions = new Set<string>();
  protected readonly isHarmless: (index: number) => boolean;
  /** All values of the script: what a function is fed, nobody knows. */
  protected all: Values = NONE;
  /** What `exec <` has made the shell's own input. */
  protected input: Values = NONE;
  /** What was opened under another number, for somebody to read from: `3<<< x`, `<&3`. */
  protected descriptors: Values = NONE;
  /** What was in any input, file, descriptor or exported variable so far. */
  protected reached: Values = NONE;
  protected names: Values = NONE;
  protected hasChanged = false;
  protected constants: ConstantValues;
  protected readonly heldNames: HeldNames;
  protected readonly around: Surroundings;
  protected readonly where: WhereValuesAre;
  protected readonly files: WrittenFiles;
  readonly #variables = new Map<string, Flow>();
  readonly #shells = new Map<string, { readonly constants: ConstantValues; readonly functions: Set<string> }>();

  constructor(kinds: ValueKinds, constants: ConstantValues, heldNames: HeldNames) {
    this.isHarmless = kinds.isHarmless;
    this.heldNames = heldNames;
    this.constants = constants;
    this.around = new Surroundings(kinds, constants);
    this.files = this.around.files;
    this.where = this.around.where({
      inReach: () => this.reached.union(this.names),
      isFunction: this.isFunction,
      wrote: (file, holds) => this.written([file === null ? "any" : [file]], holds),
    });
  }

  get tainted(): ReadonlySet<string> {
    const names = [...this.#variables].filter(([, { holds }]) => [...holds].some((index) => !this.isHarmless(index)));
    return new Set(names.map(([name]) => name));
  }

  /** Also by a name that it holds: bash computes with what is in that one then, and so on. */
  readonly isComputedFrom = (name: string): boolean => this.tainted.intersection(this.heldNames.from(name)).size > 0;

  readonly variable = (name: string): Flow => this.#variables.get(name) ?? NOTHING;
  readonly inReach = (): Values => this.reached;
  readonly inNames = (): Values => this.names;
  readonly isFunction = (name: string): boolean => this.functions.has(name);
  readonly isNamed = (name: string, at: number): boolean =>
    this.variable(name).holds.size === 0 && this.constants.isNamed(name, at);
  readonly printedBy = (node: Command): Values => {
    const name = node.name?.text ?? "";
    if (this.functions.has(name) || printsVariables(node)) return this.all;
    const { folder, givenTo } = this.around;
    const called = programName(node.name?.value ?? "");
    const found = (printsNames(node) ? this.names : NONE).union(
      printsNothingUnasked(called) ? NONE : this.around.exported,
    );
    return found.union(isPlainProgram(called) ? NONE : givenTo(called)).union(isToldOnly(node) ? NONE : folder.here);
  };

  /** A script inside the script. Another shell knows nothing of this one's variables and functions. */
  protected inShell(which: "this" | "another", text: string, visit: (script: ParsedScript) => void): void {
    const { constants, functions } = this;
    const script = parseBash(text);
    const own = this.#shells.get(`${which} ${text}`) ?? {
      constants: which === "this" ? constants.atAnyTime() : new ConstantValues(script, this.isHarmless),
      functions: which === "this" ? functions : new Set<string>(),
    };
    this.#shells.set(`${which} ${text}`, own);
    this.constants = own.constants;
    this.functions = own.functions;
    this.inside(() => visit(script));
    this.constants = constants;
    this.functions = functions;
  }

  /** What is found in there is told only where nothing is found outside: what is read is perhaps no script. */
  protected inside(visit: () => void): void {
    const { code } = this;
    visit();
    if (code === null) [this.inner, this.code] = [this.inner ?? this.code, null];
  }

  /** `inside`: what of the input is a part of somebody else's text. */
  protected within(inside: Values, visit: () => void): void {
    const before = this.around.inside;
    this.around.inside = before.union(inside);
    visit();
    this.around.inside = before;
  }

  protected readonly insideOf = (redirects: readonly Redirection[]): Values =>
    filesBefore(redirects).reduce<Values>(
      (values, file) => values.union(this.files.inSame(file)),
      redirects.reduce<Values>(
        (values, redirect) =>
          values
            .union(insideRedirect(redirect, this))
            .union(redirect.type === "Redirect" && redirect.operator === "<&" ? this.descriptors : NONE),
        NONE,
      ),
    );

  /** What a command's standard input may hold. */
  protected fedBy(redirects: readonly Redirection[], fed: Values): Values {
    let values = fed;
    for (const redirect of redirects) {
      if (redirect.type === "Redirect" && !redirect.operator.startsWith("<")) continue;
      const { descriptor } = redirect;
      const isStdin = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
      const isCopied = redirect.type === "Redirect" && redirect.operator === "<&";
      const file = redirect.type === "Redirect" ? this.files.inSame(shapeOf(redirect.target?.text ?? "")) : NONE;
      const read = isCopied ? this.descriptors : mentions(redirect, this).union(file);
      this.reached = this.grown(this.reached, read);
      if (isStdin) values = values.union(read);
      else this.descriptors = this.grown(this.descriptors, read);
    }
    return values;
  }

  protected set(name: string, flow: Flow): void {
    if (flow === NOTHING || flow.holds.size === 0) return;
    this.code ??= codeInVariable(name, flow, this.isHarmless);
    const before = this.variable(name);
    const after = merged(before, flow);
    if (isSame(before, after)) return;
    this.#variables.set(name, after);
    this.hasChanged = true;
  }

  /** Something is put behind what the variable holds. */
  protected append(name: string): void {
    const { holds } = this.variable(name);
    this.set(name, { ...NOTHING, holds, beside: holds });
  }

  protected grown(before: Values, more: Values): Values {
    const after = before.union(more);
    this.hasChanged ||= after.size > before.size;
    return after;
  }

  protected written(files: readonly Parameters<WrittenFiles["add"]>[0][], holds: Values): void {
    for (const file of files)
      if (this.files.add(file, holds)) {
        this.hasChanged = true;
        this.reached = this.grown(this.reached, holds);
      }
  }

  /** What is in the files that words name. */
  protected readonly readBy = (words: readonly FlowingWord[]): Values =>
    words.reduce<Values>((values, { shape }) => values.union(this.files.inSame(shape)), NONE);

  /** `LD_PRELOAD=./a.so`: what is in the files that a variable names. */
  protected readonly inFilesNamedBy = (text: string): Values =>
    text
      .split(/[\s:=,"']+/)
      .reduce<Values>((values, part) => (part === "" ? values : values.union(this.files.inSame(shapeOf(part)))), NONE);

  protected go(command: FlowingCommand): void {
    const { folder, free } = this.around;
    const { values, isNew } = folder.go(command, this, free);
    this.hasChanged ||= isNew;
    // An absolute path: nobody takes it for an option.
    for (const name of ["PWD", "OLDPWD", "DIRSTACK"]) this.set(name, { ...NOTHING, holds: values });
  }
}
