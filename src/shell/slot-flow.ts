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
import { ConstantValues } from "./constant-values.ts";
import { filesBefore, filesBehind, filesWrittenBy, isCopying, isOutput } from "./file-writers.ts";
import { exported, filledVariables, isExporting, namesIn, scriptsIn, setsRelativePath } from "./filled-variables.ts";
import { FlowState, NONE, type Values } from "./flow-state.ts";
import {
  type CodeUse,
  codeInAssignments,
  codeInVariable,
  type FlowingCommand,
  mergedHeads,
  type SlotFlow,
  wordsAtHead,
} from "./flow-uses.ts";
import { flowingForms } from "./flowing-forms.ts";
import { flowingWord, waysOf } from "./flowing-words.ts";
import { REMOTES, remotesIn } from "./git-remotes.ts";
import { HeldNames } from "./held-names.ts";
import { insidePrinted } from "./input-parts.ts";
import { namesBehind, namesMadeBy } from "./made-names.ts";
import { isPrefix, namedBuiltin, textsOfBuiltins } from "./named-builtin.ts";
import { forEachChild, parseBash } from "./parse-bash.ts";
import { handsOnWhole, PRINTS, readsUnasked, searchedFrom, textGiven, textsIn } from "./printed-names.ts";
import { programName } from "./program-name.ts";
import { programUse } from "./program-use.ts";
import { replacementUse } from "./replacement-use.ts";
import { ABSENT } from "./slot-names.ts";
import { staticText } from "./static-text.ts";
import type { ValueKinds } from "./surroundings.ts";
import { ARGUMENTS, flowOf, flowOfWord, mentions, mergedAll } from "./value-flow.ts";
import { textOf } from "./word-shape.ts";

/** A descriptor by its number. */
const OTHER_INPUT = /\/(?:dev|proc\/self)\/fd\//;
const INPUT = /\/dev\/stdin|\/(?:dev|proc\/\w+)\/fd\//;
/** Each finds what the one before has made possible; people hand a value on a few times. */
const PASSES_MAX = 100;
/**
 * Follows the values through a bound script until nothing new is found: finds too much rather than too little. Values that
 * are `isHarmless` (numbers) are not followed into code.
 */
export function slotFlow(script: string, kinds: ValueKinds): SlotFlow {
  const parsed = parseBash(script);
  const finder = new FlowFinder(kinds, new ConstantValues(parsed, kinds.isHarmless), new HeldNames(parsed));
  finder.builtins = textsOfBuiltins(script, parsed);
  let passes = 0;
  while (passes < PASSES_MAX && finder.pass(parsed)) passes++;
  if (passes === PASSES_MAX)
    finder.code ??= { index: 0, why: "values are handed on too often", fix: "split the tool into several" };
  finder.code ??= finder.inner;
  return finder;
}

class FlowFinder extends FlowState {
  /** What words of the next command begin with, where that is less than what they hold. */
  #atHeads: Values | null = null;
  builtins: ReadonlySet<string> = new Set();
  /** Scripts inside the script that are being looked at: one may run itself. */
  readonly #reading = new Set<string>();

  pass(script: ParsedScript): boolean {
    this.hasChanged = false;
    this.around.folder.begin();
    this.all = mentions(script, this);
    this.around.inside = this.input;
    this.#visit(script, this.input);
    return this.hasChanged;
  }

  /** `fed` is what its standard input may hold. */
  #visit(node: SyntaxNode, fed: Values): void {
    this.around.folder.within(node, () => this.#enter(node, fed));
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
        this.names = this.grown(this.names, namesBehind(node.redirects, this));
        this.written(
          filesBehind(node.redirects),
          mentions(node.command, this).union(fed).union(this.files.inWordsOf(node.command)),
        );
        return void this.within(this.insideOf(node.redirects), () =>
          this.#visit(node.command, this.fedBy(node.redirects, fed)),
        );
      }
      case "Function":
        return void this.#function(node);
      case "For":
      case "Select":
        this.#loop(node.name.text, node.wordlist);
        if (node.type === "Select") this.set("REPLY", flowOf(fed));
        break;
      case "Coproc":
        this.set(node.name?.text ?? "COPROC", flowOf(this.all));
        return void this.within(this.all, () => forEachChild(node, (child) => this.#visit(child, this.all)));
      case "ProcessSubstitution":
        // `>(bash)` reads what the command around it prints.
        return void this.within(this.all, () =>
          forEachChild(node, (child) => this.#visit(child, node.operator === ">" ? this.all : fed)),
        );
      case "TestBinary":
        if (node.operator === "=~") this.set("BASH_REMATCH", flowOf(mentions(node.left, this)));
        break;
      case "ParameterExpansion":
        if (node.parameter === ABSENT) return;
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
          this.set(node.parameter, flowOfWord(node.operation.operand, "kept", this));
        if (node.operation?.type === "Replace")
          this.code ??= replacementUse(node.operation.replacement, this, this.where);
        break;
      default:
    }
    forEachChild(node, (child) => this.#visit(child, fed));
  }

  #pipeline({ commands }: Pipeline, fed: Values): void {
    let next = fed;
    const { inputText, printedText, inside } = this.around;
    for (const [at, command] of commands.entries()) {
      const before = at === 1 ? commands[0] : undefined;
      if (handsOnWhole(before, command))
        this.#atHeads = searchedFrom(before).reduce((all, word) => all.union(mentions(word, this)), fed);
      this.#visit(command, next);
      const found = readsUnasked(command) ? this.files.inAny() : this.files.inWordsOf(command);
      next = next.union(mentions(command, this)).union(found);
      this.reached = this.grown(this.reached, next);
      this.around.inside = at === 0 ? inside.union(insidePrinted(command, this)).union(found) : next;
      const texts = textsIn(command);
      this.around.inputText += `\n${texts}`;
      if (PRINTS.test(texts)) this.around.printedText += `\n${texts.replace(PRINTS, "")}`;
    }
    Object.assign(this.around, { inputText, printedText, inside });
  }

  #function({ name, body }: FunctionNode): void {
    this.hasChanged ||= !this.functions.has(name.text);
    this.functions.add(name.text);
    this.within(this.all, () => this.#visit(body, this.all));
  }

  #loop(name: string, words: readonly SyntaxWord[] | undefined): void {
    if (words === undefined) this.set(name, this.variable(ARGUMENTS));
    else for (const word of words) this.set(name, flowOfWord(word, "split", this));
  }

  #assignment({ name, value, index, append, text }: Assignment, fed: Values): void {
    if (setsRelativePath(name, text)) this.around.isPathSet = true;
    const named = INPUT.test(text) ? this.all : this.inFilesNamedBy(text);
    if (name !== "PATH") this.code ??= codeInVariable(name, flowOf(named), this.isHarmless);
    if (name === "PS4" && value.type === "Word") this.#text(`: ${staticText(value.text) ?? value.text}`, "eval");
    const words = value.type === "Word" ? [value] : value.elements;
    if (append === true && !/^\w+\+=["';\s]*$/.test(text)) this.append(name);
    for (const word of words) {
      const flow = flowOfWord(word, value.type === "Word" ? "kept" : "split", this);
      // What is appended is not at the head, unless there was nothing before.
      this.set(name, append === true && value.type === "Word" ? flowOf(flow.holds) : flow);
      this.#visit(word, fed);
    }
    if (index !== undefined) this.#visit(index, fed);
  }

  #command(node: Command, given: Values): void {
    const { name, prefix, suffix } = node;
    for (const part of [...prefix, ...(name === undefined ? [] : [name]), ...suffix]) this.#visit(part, given);
    const fed = this.fedBy(node.redirects, given);
    if (name === undefined) return;
    const words: readonly CommandArgument[] = [name, ...node.args];
    this.around.prefixed = prefix.reduce<Values>((values, part) => values.union(mentions(part, this)), NONE);
    const command: FlowingCommand = {
      called: programName(staticText(name.text) ?? ""),
      words: words.map((word) => flowingWord(word, { variables: this, constants: this.constants })),
      fed: words.some((word) => OTHER_INPUT.test(word.text)) ? fed.union(this.descriptors) : fed,
      isFunction: this.functions.has(name.text),
    };
    const { inputText, printedText, inside } = this.around;
    const texts = this.around.textsGiven(node.redirects);
    this.around.inside = inside.union(this.insideOf(node.redirects));
    this.around.inputText += texts;
    this.around.printedText += texts;
    this.code ??= this.#codeUse(words, command, node.redirects);
    const ways = this.#waysOf(words, command);
    for (const one of ways) {
      this.code ??= codeInAssignments(one, this.isHarmless);
      this.#fill(one, fed);
      this.#write(one, node);
    }
    for (const one of ways) this.go(one);
    Object.assign(this.around, { inputText, printedText, inside });
    const inFile = command.words.some(({ text }) => text === "xargs") ? this.readBy(command.words) : NONE;
    const heads = wordsAtHead({ ...command, fed: (this.#atHeads ?? command.fed).union(inFile) }, this.isHarmless);
    this.#atHeads = null;
    this.heads = mergedHeads(mergedHeads(this.heads, heads), flowingForms(command, node.redirects, this.constants));
  }

  /** What it is called, where a variable says that, and without `command` and `builtin` before it. */
  #waysOf(args: readonly CommandArgument[], command: FlowingCommand): readonly FlowingCommand[] {
    const isNamed = command.words[0]?.isStatic === true;
    const ways = isNamed ? [command.words] : waysOf(args, { variables: this, constants: this.constants });
    return ways.map((way) => {
      const at = way.findIndex(({ text }, n) => !isPrefix(text, n));
      const words = at < 1 ? way : way.slice(at);
      const [first] = words;
      const called = first?.isStatic === true ? programName(first.text) : "";
      return { ...command, words, called, isFunction: this.functions.has(first?.text ?? "") };
    });
  }

  /** Each way in which the command may come out, with what its input may hold for somebody who takes that for code. */
  #codeUse(
    args: readonly CommandArgument[],
    { fed }: FlowingCommand,
    redirects: readonly Redirection[],
  ): CodeUse | null {
    const { folder } = this.around;
    const input = filesBefore(redirects).reduce(
      (values, file) => values.union(this.files.inAnyLike(file)).union(folder.ofFile(file)),
      fed,
    );
    const ways = waysOf(args, { variables: this, constants: this.constants });
    for (const words of ways) {
      const use = programUse(words, input, this.where);
      if (use !== null) return use;
    }
    const index = this.where.free(this.all);
    const found = index === undefined ? null : namedBuiltin(args, ways, this.builtins);
    return index === undefined || found === null ? null : { index, ...found };
  }

  #write(command: FlowingCommand, node: Command): void {
    const { called, words, fed, isFunction } = command;
    const { redirects } = node;
    const told = mergedAll(words.map(({ flow }) => flow)).holds.union(fed);
    this.hasChanged = this.around.give(called, told) || this.hasChanged;
    this.hasChanged = this.around.give(REMOTES, remotesIn(called, words)) || this.hasChanged;
    const printed = mentions(node, this).union(readsUnasked(node) ? this.files.inAny() : NONE);
    const holds = isFunction || isOutput(called, words) ? this.all : told.union(this.readBy(words)).union(printed);
    this.written([...filesBehind(redirects), ...filesWrittenBy(called, words)], holds);
    if (PRINTS.test(`${called}\n`))
      for (const file of filesBehind(redirects)) {
        const path = textOf(file);
        const text = [...words.slice(1).map((word) => word.text), ...redirects.map(textGiven)].join("\n");
        if (path !== null) this.hasChanged = this.around.writeText(path, text) || this.hasChanged;
      }
    this.names = this.grown(this.names, namesBehind(redirects, this).union(namesMadeBy(command)));
    // A folder that is left, or a copy: the same file is somewhere else then.
    if (words.some(({ text }) => setsRelativePath(text.split("=")[0] ?? "", text))) this.around.isPathSet = true;
    if (isCopying(called, words)) this.hasChanged = this.files.move() || this.hasChanged;
  }

  /** What commands do to variables. */
  #fill(command: FlowingCommand, fed: Values): void {
    const { called, words } = command;
    const rest = words.slice(1);
    for (const [name, flow] of filledVariables(command, fed, this.descriptors, this.variable(ARGUMENTS).holds))
      this.set(name, flow);
    // `set -a`: from here on all that is set is exported.
    if (called === "set" && rest.some(({ text }) => /^-[a-zA-Z]*[ak]|^allexport$/.test(text)))
      this.around.exported = this.grown(this.around.exported, this.all);
    if (called === "exec" && rest.length === 0) this.input = this.grown(this.input, fed);
    const given = mergedAll(rest.map(({ flow }) => flow));
    if (isExporting(command)) {
      const seen = exported(given, namesIn(rest), this);
      this.reached = this.grown(this.reached, seen);
      this.around.exported = this.grown(this.around.exported, seen);
    }
    const scripts = scriptsIn(words, this.around.printedText, this.around.textIn);
    if (scripts.length > 0) this.set(ARGUMENTS, given);
    for (const text of scripts) this.#text(text, called);
  }

  /** A script inside the script: what it is given are arguments. A trap's may run at any time, wherever that is. */
  #text(text: string, called: string): void {
    if (this.#reading.has(text)) return;
    this.#reading.add(text);
    const which = /^(?:eval|trap|source|\.)$/.test(called) ? "this" : "another";
    const visit = (): void => this.inShell(which, text, (script) => this.#visit(script, this.all));
    if (called === "trap") this.around.folder.anywhere(visit);
    else if (called === "eval") visit();
    else this.around.folder.aside(visit);
    this.#reading.delete(text);
  }
}
