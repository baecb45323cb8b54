import type { Redirection } from "unbash";
import type { ConstantValues } from "./constant-values.ts";
import { filesBefore } from "./file-writers.ts";
import type { FlowingWord } from "./flow-uses.ts";
import { textGiven } from "./printed-names.ts";
import type { WhereValuesAre } from "./where-values-are.ts";
import { textOf } from "./word-shape.ts";
import { WorkingFolder } from "./working-folder.ts";
import { WrittenFiles } from "./written-files.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();

/** What is known of the values before any of them is there. */
export interface ValueKinds {
  /** A number: no code anywhere. */
  readonly isHarmless: (index: number) => boolean;
  /** A number, or one of those that the author has written out. */
  readonly isWrittenOut: (index: number) => boolean;
  /** Programs to which all is data, by the author's own word. */
  readonly dataFor: ReadonlySet<string>;
}

/** What is around a command beside its words: files, the folder, the environment, the author's texts in its input. */
export class Surroundings {
  readonly files: WrittenFiles;
  readonly folder = new WorkingFolder();
  /** What every program sees, and what only the command does that is looked at. */
  exported: Values = NONE;
  prefixed: Values = NONE;
  inputText = "";
  /** Those of them that are printed as they are. */
  printedText = "";
  /** What of the input stands inside a text of somebody else's. */
  inside: Values = NONE;
  isPathSet = false;
  readonly #texts = new Map<string, string>();
  readonly #kinds: ValueKinds;
  readonly #given = new Map<string, Values>();

  constructor(kinds: ValueKinds, constants: ConstantValues) {
    this.#kinds = kinds;
    this.files = new WrittenFiles(constants);
  }

  /** What of a folder's values is the model's own word. */
  readonly free = (values: Values): Values => new Set([...values].filter((index) => !this.#kinds.isWrittenOut(index)));

  /** Scripts that the script itself writes are read as if they stood where they are run. */
  readonly textIn = ({ text, isStatic }: FlowingWord): string | null =>
    isStatic ? (this.#texts.get(lastOf(text)) ?? null) : null;

  /** The same by a part of a word: glued to a letter, or behind `=`. */
  readonly textsNamedIn = (word: FlowingWord): readonly string[] =>
    [...this.#texts].flatMap(([file, text]) => (word.isStatic && word.text.endsWith(file) ? [text] : []));

  /** What the author has written out of all that is fed. */
  textsGiven(redirects: readonly Redirection[]): string {
    const files = filesBefore(redirects).map((shape) => this.#texts.get(lastOf(textOf(shape) ?? "")) ?? "");
    return [...redirects.map(textGiven), ...files].join("\n");
  }

  /** Whether that is anything new. */
  writeText(file: string, text: string): boolean {
    const before = this.#texts.get(lastOf(file)) ?? "";
    if (text.trim() === "" || before.includes(text)) return false;
    this.#texts.set(lastOf(file), `${before}\n${text}`);
    return true;
  }

  /** What a program was given anywhere: one that keeps it may print it another time. */
  readonly givenTo = (name: string): Values => this.#given.get(name) ?? NONE;

  /** Whether that is anything new. */
  give(name: string, values: Values): boolean {
    const before = this.givenTo(name);
    const after = before.union(values);
    this.#given.set(name, after);
    return after.size > before.size;
  }

  where(finder: Pick<WhereValuesAre, "inReach" | "isFunction" | "wrote">): WhereValuesAre {
    const { isHarmless, isWrittenOut, dataFor } = this.#kinds;
    return {
      ...finder,
      odd: (values) => [...values].find((index) => !isHarmless(index)),
      free: (values) => [...values].find((index) => !isWrittenOut(index)),
      freeOf: this.free,
      inFile: ({ shape }) => this.files.inAnyLike(shape),
      inSameFile: ({ shape }) => this.files.inSame(shape),
      textIn: this.textIn,
      textsNamedIn: this.textsNamedIn,
      inFiles: (names, how) => this.files.inAnyNamed(names, how),
      inFolderOf: (word: FlowingWord) => this.folder.of(word),
      inFolder: () => this.folder.here,
      inEnvironment: () => this.exported.union(this.prefixed),
      inputText: () => this.inputText,
      inStatements: () => this.inside,
      givenTo: this.givenTo,
      isData: (name) => dataFor.has(name),
      isPathSet: () => this.isPathSet,
    };
  }
}

const lastOf = (path: string): string => path.replace(/^.*\//s, "");
