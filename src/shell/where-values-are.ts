import type { FlowingWord } from "./flow-uses.ts";

type Values = ReadonlySet<number>;

/** Who knows where values are. */
export interface WhereValuesAre {
  /** One of the values that is no number. */
  readonly odd: (values: Values) => number | undefined;
  /** One of those that is no number and none of an enumeration: the model's own words. */
  readonly free: (values: Values) => number | undefined;
  readonly freeOf: (values: Values) => Values;
  /** What may have been written to a file of this name. */
  readonly inFile: (word: Pick<FlowingWord, "shape">) => Values;
  /** What was written to the file of this name, where that is known. */
  readonly inSameFile: (word: Pick<FlowingWord, "shape">) => Values;
  /** What the author has written out and into a file of this name; null = nothing. */
  readonly textIn: (word: FlowingWord) => string | null;
  /** The same of files that a word ends in, as `-fa.sql` does. */
  readonly textsNamedIn: (word: FlowingWord) => readonly string[];
  /** What was written to files whose names are like this, or may be. */
  readonly inFiles: (names: RegExp, how: "surely" | "perhaps") => Values;
  /** What says in which folder a name is looked up. */
  readonly inFolderOf: (word: FlowingWord) => Values;
  /** What says in which folder the script works. */
  readonly inFolder: () => Values;
  /** That is so for this command alone: nothing else of the script was looked at in that folder. */
  readonly isElsewhere?: true;
  /** What is in variables that programs see. */
  readonly inEnvironment: () => Values;
  /** What is in any input, file or variable that a program may come by without being told. */
  readonly inReach: () => Values;
  /** The author's own texts in the input of the command. */
  readonly inputText: () => string;
  /** What of the input's values does not begin a line of it: it stands inside what somebody else has written. */
  readonly inStatements: () => Values;
  /** What a program was given anywhere by one of its commands: `git remote`. */
  readonly givenTo: (name: string) => Values;
  /** The code of a program writes to a file; null = to any. */
  readonly wrote: (file: string | null, holds: Values) => void;
  /** Whether the script has a function of this name. */
  readonly isFunction: (name: string) => boolean;
  /** Whether the author says that all is data to this program. */
  readonly isData: (name: string) => boolean;
  /** Whether programs are looked for in folders that the script names. */
  readonly isPathSet: () => boolean;
}

/** What may have been written to files that words name, also behind `=`. */
export const inFilesOf = (words: readonly FlowingWord[], { inFile }: WhereValuesAre): Values =>
  words.reduce<Values>((values, word) => {
    const [, value] = /^[^=]*=(.+)$/s.exec(word.isStatic ? word.text : "") ?? [];
    const named = value === undefined ? new Set<number>() : inFile({ shape: [value] });
    return values.union(inFile(word)).union(named);
  }, new Set<number>());
