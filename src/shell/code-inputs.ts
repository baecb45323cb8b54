import type { CodeActs } from "./code-acts.ts";
import { codeAround, foundByCommand } from "./code-around.ts";
import { PART, WHOLE, WHOLE_PATH, WRITTEN_OUT } from "./code-fixes.ts";
import { CODE_TAKERS } from "./code-programs.ts";
import { type CodeTaker, isTold } from "./code-taker.ts";
import { dashed } from "./dashless.ts";
import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import { hasText, holdsIn, isCode, mayBeOption, partsIn, shown, withNames, withoutHead } from "./flowing-text.ts";
import { isOpenFile } from "./open-file.ts";
import { FLAG, type OptionKind, optionIn } from "./option-kinds.ts";
import { inFilesOf, type WhereValuesAre } from "./where-values-are.ts";
import { headOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;

/** The first value that a program takes for code; null = none, or no program that is known to have any. */
export function codeInputs(
  name: string,
  argv: readonly FlowingWord[],
  fed: Values,
  where: WhereValuesAre,
): CodeUse | null {
  const taker = CODE_TAKERS.get(name);
  return taker === undefined ? null : codeTaken(name, taker, argv, fed, where);
}

/** The same, of words of which the first is not looked at. */
export function codeTaken(
  name: string,
  taker: CodeTaker,
  argv: readonly FlowingWord[],
  fed: Values,
  where: WhereValuesAre,
): CodeUse | null {
  const scan = new Scan(name, taker, taker.dashless === true ? dashed(taker, argv) : argv, fed, where);
  const use = scan.use();
  // Settings are obeyed all the same.
  return use ?? codeAround(name, scan.isSafe ? {} : taker, { argv, fed, isFile: scan.isFile }, where);
}

/** One pass over a command's words as its program reads them. */
class Scan {
  readonly #name: string;
  readonly #taker: CodeTaker;
  readonly #argv: readonly FlowingWord[];
  readonly #where: WhereValuesAre;
  readonly #fed: Values;
  /** Its program is a file that was named. */
  isFile = false;
  /** It was told by an option that code does no harm. */
  isSafe = false;
  #found: CodeUse | null = null;
  #isGiven = false;
  #isOver = false;
  #isStdin = false;
  #isTold = false;
  #isText = false;
  #operands = 0;
  #at = 1;

  constructor(name: string, taker: CodeTaker, argv: readonly FlowingWord[], fed: Values, where: WhereValuesAre) {
    this.#fed = fed;
    this.#name = name;
    this.#taker = taker;
    this.#argv = argv;
    this.#where = where;
  }

  use(): CodeUse | null {
    this.#isStdin = isTold(this.#taker, this.#argv);
    for (; this.#at < this.#argv.length && this.#found === null; this.#at++)
      this.#word(this.#argv[this.#at] as FlowingWord);
    const { stdin } = this.#taker;
    const isRead = stdin === "always" || (stdin !== undefined && !this.#isGiven) || this.#isTold || this.#isStdin;
    if (isRead) this.#refuse(this.#fed, `\`${this.#name}\` reads its standard input as code`);
    if (isRead) this.#statement(this.#where.inStatements());
    const acts = isRead ? this.#taker.acts?.(this.#where.inputText()) : undefined;
    if (acts !== undefined) this.#acts(acts);
    return this.#found;
  }

  readonly #refuse = (values: Values, why: string, fix = this.#taker.fix ?? WRITTEN_OUT): void => {
    if (!this.isSafe) this.#refuseAlways(values, why, fix);
  };

  /** Also where code does no harm: settings are read before the word that says so, and what is not known may undo it. */
  readonly #refuseAlways = (
    values: Values,
    why: string,
    fix = this.#taker.safe ? WRITTEN_OUT : this.#taker.fix,
  ): void => {
    const index = this.#found === null ? this.#where.odd(values) : undefined;
    if (index !== undefined) this.#found = { index, why, fix: fix ?? WRITTEN_OUT };
  };

  /** `-safe "select '{{x}}'"`: a quote in it would end the author's text. */
  #statement(values: Values): void {
    const index = this.isSafe && this.#taker.statements === true ? this.#where.odd(values) : undefined;
    if (index !== undefined) this.#found ??= { index, why: PART, fix: WHOLE };
  }

  #word(word: FlowingWord): void {
    const head = headOf(word.shape);
    if (this.#taker.remote === true && /^[\w.@[\]-]+:/.test(head))
      this.#refuse(
        word.flow.holds,
        "a shell over there reads it once more",
        "give the name by `--files-from`, or a local one",
      );
    if (this.#isOver) this.#operand(word);
    else if (word.isStatic && this.#taker.safe?.test(word.text)) this.isSafe = true;
    else if (word.isStatic && word.text === "--") this.#isOver = true;
    else if (/^-./s.test(head) || this.#isPlus(head)) this.#option(word, head);
    else if (word.isStatic || !mayBeOption(word, this.#where)) this.#operand(word);
    else {
      this.#unclear(word);
      this.#operand(word);
    }
  }

  /** `bash +o posix`, `bash +e`. */
  readonly #isPlus = (head: string): boolean => /^\+./s.test(head) && this.#taker.values?.includes("+o") === true;

  /** A word that may be any option, or several words: what follows it may be code. */
  #unclear(word: FlowingWord): void {
    const next = this.#argv[this.#at + 1];
    this.#refuse(
      this.#taker.strict === true ? this.#rest(this.#at) : (next?.flow.holds ?? new Set<number>()),
      `\`${shown(word)}\` may be an option of \`${this.#name}\`, which is known only at run time`,
      "write the options out, or put `--` before the operands",
    );
  }

  /** From here on, and by its input, if it may have its program from there. */
  readonly #rest = (from: number): Values => {
    const values = holdsIn(this.#argv.slice(from));
    return this.#taker.stdin === undefined || this.#isGiven ? values : values.union(this.#fed);
  };

  #option(word: FlowingWord, head: string): void {
    const taker = this.#taker;
    const found = optionIn(taker, head, word.isStatic);
    if (found === "unknown") {
      if (taker.strict === true)
        this.#refuseAlways(
          this.#rest(this.#at).union(inFilesOf(this.#argv.slice(this.#at), this.#where)),
          `\`${this.#name} ${shown(word)}\` is an option of which nothing is known here`,
          "leave it out, or put the value into a variable of the environment or a file",
        );
      return;
    }
    if (found === "cut") {
      const next = this.#argv[this.#at + 1]?.flow.holds ?? new Set<number>();
      return void this.#refuseAlways(
        word.flow.holds.union(taker.strict === true ? this.#rest(this.#at) : next),
        `which option of \`${this.#name}\` it is is known only at run time`,
        "write the option out",
      );
    }
    if (found.isGlued && isCode(found.kind)) this.#code(withoutHead(word, found.length), found.kind);
    else if (!found.isGlued && found.kind !== FLAG) this.#value(found.kind);
    const name = found.isGlued || taker.style !== "single" ? `-${head[found.length - 1]}` : head;
    // `bash -s a`: operands are arguments of what comes by the input, unless `-c` says otherwise.
    if (typeof taker.stdin === "object" && taker.stdin.test(head)) this.#isTold = true;
    if (head.includes("c")) this.#isText = true;
    if (!taker.ends?.split(" ").includes(name) || head.startsWith("--")) return;
    const program = found.isGlued ? head.slice(found.length) : (this.#argv[this.#at]?.text ?? "");
    if (taker.modules !== undefined && name === "-m") this.#module(program, taker.modules);
    this.#finish();
  }

  /** `python -m a`: a program like others, and one of which nothing is known but for some. */
  #module(name: string, harmless: RegExp): void {
    const taker = /^(?:pytest|pip)$/.test(name) ? CODE_TAKERS.get(name) : undefined;
    const rest = this.#argv.slice(this.#at);
    if (taker !== undefined) this.#found ??= codeTaken(name, taker, rest, this.#fed, this.#where);
    else if (!harmless.test(name) && !this.#where.isData(name))
      this.#refuse(
        this.#rest(this.#at + 1)
          .union(this.#fed)
          .union(this.#where.inEnvironment()),
        `nothing is known here of the module \`${name}\`, which may run what it is given`,
        `if all is data to it, say so at the tool: \`data_for: [${name}]\``,
      );
  }

  #value(kind: OptionKind): void {
    const word = this.#argv[++this.#at];
    if (kind === "pair") this.#at++;
    if (word === undefined) return;
    if (isCode(kind)) this.#code(word, kind);
    // What becomes several words, or none, is one value, and something else.
    if (word.isMany) this.#unclear(word);
  }

  #finish(): void {
    this.#isOver = true;
    this.#operands = Number.POSITIVE_INFINITY;
  }

  #code(word: FlowingWord, kind: OptionKind): void {
    if (kind !== "load") this.#isGiven = true;
    if (word.isStatic && kind !== "text" && isOpenFile(word.text)) this.#isStdin = true;
    this.#check(word, kind);
    // A name without a path is looked for elsewhere.
    if (kind === "text" && word.text.includes("/"))
      this.#refuse(this.#where.inSameFile(word), `\`${this.#name}\` runs the file that it is written to`);
  }

  #check(word: FlowingWord, kind: OptionKind): void {
    const { acts, whole } = this.#taker;
    const code = word.isStatic ? word.text : null;
    if (whole === true && word.isValue && kind === "text") return;
    if (kind === "text") this.#statement(partsIn(word.flow));
    const text = kind === "text" ? (code ?? withNames(word)) : this.#where.textIn(word);
    if (acts !== undefined && text !== null) this.#acts(acts(text));
    if (kind === "text" && code !== null)
      this.#refuse(foundByCommand(this.#taker, code, this.#where), `a command of \`${this.#name}\` finds it`);
    if (acts !== undefined && kind === "text" && code === null && !hasText(word))
      this.#refuse(
        holdsIn(this.#argv).union(this.#fed),
        `the code of \`${this.#name}\` is known only at run time`,
        "write the code out",
      );
    const why = this.#taker.why ?? `\`${this.#name}\` reads it as code`;
    const refuse = kind === "load" ? this.#refuseAlways : this.#refuse;
    refuse(this.#isOpaque(kind) ? this.#where.freeOf(word.flow.holds) : word.flow.holds, why);
    if (kind !== "text") refuse(this.#where.inFile(word), why);
    // An editor's and a pager's files are no code by themselves.
    if (kind !== "text" && this.#taker.guarded !== true && !isOpenFile(word.text))
      this.#refuse(
        this.#where.inFolderOf(word),
        `\`${this.#name}\` runs \`${shown(word)}\` of a folder that the value names`,
        WHOLE_PATH,
      );
  }

  /** What is not looked into where it is written out: one of several that are is no other, `make {{target}}`. */
  #isOpaque(kind: OptionKind): boolean {
    const { acts, says, stdin } = this.#taker;
    return kind !== "text" || (acts === undefined && says === undefined && stdin === undefined);
  }

  /** What the author's own code does with what it comes by: all that it is given, and what it may look for. */
  #acts({ runs, writes, reads }: CodeActs): void {
    const { inEnvironment, inReach, wrote } = this.#where;
    const given = this.#argv.reduce<Values>(
      (values, word) => values.union(word.flow.holds).union(this.#where.inFile(word)),
      this.#fed.union(inEnvironment()),
    );
    if (runs)
      this.#refuse(
        given.union(inReach()),
        `the code of \`${this.#name}\` runs commands that it makes, or can't be read`,
        "do without commands in that code",
      );
    for (const file of writes) wrote(file, reads ? given.union(inReach()) : given);
  }

  #operand(word: FlowingWord): void {
    const { operand, rest, guarded, magic, operandIs, listed, stops, elsewhere, beside } = this.#taker;
    if (beside === true)
      this.#refuse(this.#where.freeOf(word.flow.holds), `\`${this.#name}\` runs settings that lie beside it`);
    const isOwn = listed === true && !(stops === true && this.#isGiven);
    const isProgram = rest === true ? this.#operands >= (operand ?? 0) : this.#operands === operand;
    const isArgument = (this.#isGiven && rest !== true) || (this.#isTold && !this.#isText);
    const isName = (this.#isOver && guarded === true) || isArgument || elsewhere?.test(headOf(word.shape)) === true;
    const isMagic =
      magic !== undefined &&
      (this.#argv.some(({ text }) => magic.test(text)) || (this.#isStdin && magic.test(this.#where.inputText())));
    if (isMagic) this.#refuse(word.flow.holds, `\`${this.#name}\` opens what it names, and may run it`);
    else if (operand !== undefined && isProgram && !isName) {
      if (word.isStatic && isOpenFile(word.text)) this.#isStdin = true;
      // What may be nothing, or an option, is perhaps no program.
      else if (word.isStatic || !mayBeOption(word, this.#where)) this.#isGiven = true;
      if (operandIs === undefined && this.#isGiven && !this.#isText) this.isFile = true;
      // A text for a shell was looked at where the script stands.
      const isScript = this.#isText && typeof this.#taker.stdin === "object" && this.#where.isElsewhere !== true;
      this.#check(word, isScript ? "text" : (operandIs ?? "file"));
    }
    const isList = isOwn && headOf(word.shape).startsWith("@");
    if (isList) this.#refuse(this.#where.inFile(withoutHead(word, 1)), "it is written to a file with options");
    if (isOwn)
      this.#refuse(
        isList ? word.flow.holds : word.flow.begins.union(word.flow.made),
        "what it begins with says what it is",
      );
    // What may be no word at all leaves its place to the next.
    if (word.isMany) return;
    this.#operands++;
    if (stops === true) this.#finish();
  }
}
