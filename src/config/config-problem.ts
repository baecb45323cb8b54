/** One thing wrong with a config, and where. All of them are reported at once. */
export interface ConfigProblem extends Place {
  readonly file: string;
  readonly message: string;
  readonly hint?: string;
}

/** Counted from 1, as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where a problem is said to be that concerns the file as a whole. */
export const FILE_START: Place = { line: 1, column: 1 };

/** File by file, in the order in which they are first named, each from its top to its end. */
export function inPlaceOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  return problems.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}
