import type {
  Assignment,
  Command,
  CommandArgument,
  Function as FunctionNode,
  ParsedScript,
  Pipeline,
  Redirection,
  SyntaxNode,
  Word as SyntaxWord,
} from "unbash";
import type { WhereValuesAre } from "./code-inputs.ts";
import { ConstantValues } from "./constant-values.ts";
import { filesBefore, filesBehind, filesWrittenBy, isCopying, isOutput } from "./file-writers.ts";
import { exported, filledVariables, isShellAmong, namesIn } from "./filled-variables.ts";
import {
  type CodeUse,
  codeInAssignments,
  codeInVariable,
  type FlowingCommand,
  type FlowingWord,
  type SlotFlow,
  wordsAtHead,
} from "./flow-uses.ts";
import { flowingWord, waysOf } from "./flowing-words.ts";
import { namesBehind, namesMadeBy } from "./made-names.ts";
import { forEachChild, parseBash } from "./parse-bash.ts";
import { programName } from "./program-name.ts";
import { programUse } from "./program-use.ts";
import { staticText } from "./static-text.ts";
import { ARGUMENTS, type Flow, flowOf, flowOfWord, isSame, mentions, merged, NOTHING } from "./value-flow.ts";
import { shapeOf } from "./word-shape.ts";
import { WorkingFolder } from "./working-folder.ts";
import { WrittenFiles } from "./written-files.ts";

/** A descriptor by its number, for a program to read. */
const OTHER_INPUT = /\/(?:dev|proc\/self)\/fd\//;
/** Each finds what the one before has made possible; people hand a value on a few times. */
const PASSES_MAX = 100;
const NOT_FOLLOWED = "values are handed on more often than can be followed";
/**
 * Follows the values through a bound script until nothing new is found: finds too much rather than too little. Values that
 * are `isHarmless` (numbers) are not followed into code.
 */
export function slotFlow(script: string, isHarmless: (index: number) => boolean): SlotFlow {
  const parsed = parseBash(script);
  const finder = new FlowFinder(isHarmless, new ConstantValues(parsed, isHarmless));
  let passes = 0;
  while (passes < PASSES_MAX && finder.pass(parsed)) passes++;
  if (passes === PASSES_MAX) finder.code ??= { index: 0, why: NOT_FOLLOWED, fix: "split the tool into several" };
  return finder;
}

type Values = ReadonlySet<number>;
const NONE: Values = new Set();

class FlowFinder implements SlotFlow {
  code: CodeUse | null = null;
  heads: Pick<Flow, "begins" | "made"> = NOTHING;
  readonly #variables = new Map<string, Flow>();
  readonly #functions = new Set<string>();
  readonly #isHarmless: (index: number) => boolean;
  /** All values of the script: what a function is fed, nobody knows. */
  #all: Values = NONE;
  /** What `exec <` has made the shell's own input. */
  #input: Values = NONE;
  /** What was opened under another number, for somebody to read from: `3<<< x`, `<&3`. */
  #descriptors: Values = NONE;
  /** What was in any input, file, descriptor or exported variable so far. */
  #inReach: Values = NONE;
  #names: Values = NONE;
  #hasChanged = false;

  readonly #constants: ConstantValues;
  readonly #files: WrittenFiles;
  readonly #folder = new WorkingFolder();
  readonly #where: WhereValuesAre;

  constructor(isHarmless: (index: number) => boolean, constants: ConstantValues) {
    this.#isHarmless = isHarmless;
    this.#constants = constants;
    this.#files = new WrittenFiles(constants);
    this.#where = {
      odd: (values) => [...values].find((index) => !isHarmless(index)),
      inFile: ({ shape }) => this.#files.inAnyLike(shape),
      inFolderOf: (word) => this.#folder.of(word),
      inFiles: (names, how) => this.#files.inAnyNamed(names, how),
    };
  }

  get tainted(): ReadonlySet<string> {
    const names = [...this.#variables].filter(([, { holds }]) => [...holds].some((index) => !this.#isHarmless(index)));
    return new Set(names.map(([name]) => name));
  }

  pass(script: ParsedScript): boolean {
    this.#hasChanged = false;
    this.#folder.begin();
    this.#all = mentions(script, this);
    this.#visit(script, this.#input);
    return this.#hasChanged;
  }

  readonly variable = (name: string): Flow => this.#variables.get(name) ?? NOTHING;
  readonly inReach = (): Values => this.#inReach;
  readonly inNames = (): Values => this.#names;
  readonly ofFunction = (name: string): Values => (this.#functions.has(name) ? this.#all : NONE);

  #set(name: string, flow: Flow): void {
    if (flow === NOTHING || flow.holds.size === 0) return;
    this.code ??= codeInVariable(name, flow, this.#isHarmless);
    const before = this.variable(name);
    const after = merged(before, flow);
    if (isSame(before, after)) return;
    this.#variables.set(name, after);
    this.#hasChanged = true;
  }

  /** `fed` is what its standard input may hold. */
  #visit(node: SyntaxNode, fed: Values): void {
    this.#folder.within(node, () => this.#enter(node, fed));
  }

  #enter(node: SyntaxNode, fed: Values): void {
    switch (node.type) {
      case "Command":
        return void this.#command(node, fed);
      case "Assignment":
        return void this.#assignment(node, fed);
      case "Pipeline":
        return void this.#pipeline(node, fed);
      case "Redirected": {
        for (const redirect of node.redirects) this.#visit(redirect, fed);
        this.#names = this.#grown(this.#names, namesBehind(node.redirects, this));
        this.#written(
          filesBehind(node.redirects),
          mentions(node.command, this).union(fed).union(this.#files.inWordsOf(node.command)),
        );
        return void this.#visit(node.command, this.#fedBy(node.redirects, fed));
      }
      case "Function":
        return void this.#function(node);
      case "For":
      case "Select":
        this.#loop(node.name.text, node.wordlist);
        if (node.type === "Select") this.#set("REPLY", flowOf(fed));
        break;
      case "Coproc":
        this.#set(node.name?.text ?? "COPROC", flowOf(this.#all));
        return void forEachChild(node, (child) => this.#visit(child, this.#all));
      case "ProcessSubstitution":
        // `>(bash)` reads what the command around it prints.
        return void forEachChild(node, (child) => this.#visit(child, node.operator === ">" ? this.#all : fed));
      case "TestBinary":
        if (node.operator === "=~") this.#set("BASH_REMATCH", flowOf(mentions(node.left, this)));
        break;
      case "ParameterExpansion":
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
          this.#set(node.parameter, flowOfWord(node.operation.operand, "kept", this));
        break;
      default:
    }
    forEachChild(node, (child) => this.#visit(child, fed));
  }

  #pipeline({ commands }: Pipeline, fed: Values): void {
    let next = fed;
    for (const command of commands) {
      this.#visit(command, next);
      next = next.union(mentions(command, this)).union(this.#files.inWordsOf(command));
      this.#inReach = this.#grown(this.#inReach, next);
    }
  }

  #function({ name, body }: FunctionNode): void {
    this.#hasChanged ||= !this.#functions.has(name.text);
    this.#functions.add(name.text);
    this.#visit(body, this.#all);
  }

  #loop(name: string, words: readonly SyntaxWord[] | undefined): void {
    if (words === undefined) this.#set(name, this.variable(ARGUMENTS));
    else for (const word of words) this.#set(name, flowOfWord(word, "split", this));
  }

  #assignment({ name, value, index, append }: Assignment, fed: Values): void {
    const words = value.type === "Word" ? [value] : value.elements;
    for (const word of words) {
      const flow = flowOfWord(word, value.type === "Word" ? "kept" : "split", this);
      // What is appended is not at the head, unless there was nothing before.
      this.#set(name, append === true && value.type === "Word" ? flowOf(flow.holds) : flow);
      this.#visit(word, fed);
    }
    if (index !== undefined) this.#visit(index, fed);
  }

  #fedBy(redirects: readonly Redirection[], fed: Values): Values {
    let values = fed;
    for (const redirect of redirects) {
      if (redirect.type === "Redirect" && !redirect.operator.startsWith("<")) continue;
      const { descriptor } = redirect;
      const isStdin = descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
      const isCopied = redirect.type === "Redirect" && redirect.operator === "<&";
      const file = redirect.type === "Redirect" ? this.#files.inSame(shapeOf(redirect.target?.text ?? "")) : NONE;
      const read = isCopied ? this.#descriptors : mentions(redirect, this).union(file);
      this.#inReach = this.#grown(this.#inReach, read);
      if (isStdin) values = values.union(read);
      else this.#descriptors = this.#grown(this.#descriptors, read);
    }
    return values;
  }

  #grown(before: Values, more: Values): Values {
    const after = before.union(more);
    this.#hasChanged ||= after.size > before.size;
    return after;
  }

  #command(node: Command, given: Values): void {
    const { name, prefix, suffix } = node;
    for (const part of [...prefix, ...(name === undefined ? [] : [name]), ...suffix]) this.#visit(part, given);
    const fed = this.#fedBy(node.redirects, given);
    if (name === undefined) return;
    const words: readonly CommandArgument[] = [name, ...node.args];
    const command: FlowingCommand = {
      called: programName(staticText(name.text) ?? ""),
      words: words.map((word) => flowingWord(word, { variables: this, constants: this.#constants })),
      fed: words.some((word) => OTHER_INPUT.test(word.text)) ? fed.union(this.#descriptors) : fed,
      isFunction: this.#functions.has(name.text),
    };
    this.code ??= codeInAssignments(command, this.#isHarmless);
    this.#fill(command, fed);
    this.#write(command, node.redirects);
    this.code ??= this.#codeUse(words, command, node.redirects);
    this.#hasChanged = this.#folder.go(command) || this.#hasChanged;
    const heads = wordsAtHead(command, this.#isHarmless);
    this.heads = {
      begins: this.heads.begins.union(heads.begins),
      made: this.heads.made.union(heads.made),
    };
  }

  /** Each way in which the command may come out, with what its input may hold for somebody who takes that for code. */
  #codeUse(
    args: readonly CommandArgument[],
    { fed }: FlowingCommand,
    redirects: readonly Redirection[],
  ): CodeUse | null {
    const input = filesBefore(redirects).reduce((values, file) => values.union(this.#files.inAnyLike(file)), fed);
    for (const words of waysOf(args, { variables: this, constants: this.#constants })) {
      const use = programUse(words, input, this.#where);
      if (use !== null) return use;
    }
    return null;
  }

  #write(command: FlowingCommand, redirects: readonly Redirection[]): void {
    const { called, words, fed, isFunction } = command;
    const told = words.reduce((flow, word) => merged(flow, word.flow), flowOf(fed)).holds;
    const holds = isFunction || isOutput(called, words) ? this.#all : told.union(this.#readBy(words));
    this.#written([...filesBehind(redirects), ...filesWrittenBy(called, words)], holds);
    this.#names = this.#grown(this.#names, namesBehind(redirects, this).union(namesMadeBy(command)));
    // A folder that is left, or a copy: the same file is somewhere else then.
    if (isCopying(called)) this.#hasChanged = this.#files.move() || this.#hasChanged;
  }

  #written(files: readonly Parameters<WrittenFiles["add"]>[0][], holds: Values): void {
    for (const file of files)
      if (this.#files.add(file, holds)) {
        this.#hasChanged = true;
        this.#inReach = this.#grown(this.#inReach, holds);
      }
  }

  /** What is in the files that words name. */
  readonly #readBy = (words: readonly FlowingWord[]): Values =>
    words.reduce<Values>((values, { shape }) => values.union(this.#files.inSame(shape)), NONE);

  /** What commands do to variables. */
  #fill(command: FlowingCommand, fed: Values): void {
    const { called, words } = command;
    const rest = words.slice(1);
    for (const [name, flow] of filledVariables(command, fed, this.#descriptors, this.variable(ARGUMENTS).holds))
      this.#set(name, flow);
    if (called === "exec" && rest.length === 0) this.#input = this.#grown(this.#input, fed);
    if (called === "export" || called === "declare" || called === "typeset") {
      const given = rest.reduce((flow, word) => merged(flow, word.flow), NOTHING);
      this.#inReach = this.#grown(this.#inReach, exported(given, namesIn(rest), this));
    }
    if (isShellAmong(words))
      for (const { text, isStatic } of rest) if (isStatic && /[\s=]/.test(text)) this.#text(text);
  }

  /** A script inside the script: what it is given are arguments. */
  #text(text: string): void {
    this.#visit(parseBash(text), this.#all);
  }
}
