/** One line of a hunk. `text` has its line end, unless it is the last of a file that does without. */
export interface HunkLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

export interface Hunk {
  /** The line of the patch where it stands, for messages. */
  readonly patchLine: number;
  /** Where in the old file it belongs. */
  readonly place: LineNumber | Anchors;
  readonly lines: readonly HunkLine[];
}

/** A unified diff counts: the first old line, 1-based; of a hunk without old lines, the line before it. */
export interface LineNumber {
  readonly by: "number";
  readonly oldStart: number;
}

/** The Codex grammar names lines that stand before it. */
export interface Anchors {
  readonly by: "anchors";
  readonly anchors: readonly string[];
  /** The hunk ends where the file ends. */
  readonly atEnd: boolean;
}

export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly content: string; readonly executable?: boolean }
  | {
      readonly kind: "update";
      readonly path: string;
      /** Where the file goes; null = it stays. */
      readonly moveTo: string | null;
      readonly hunks: readonly Hunk[];
      readonly executable?: boolean;
    }
  /** `hunks` are what the file has to consist of; null = whatever it holds. */
  | { readonly kind: "delete"; readonly path: string; readonly hunks: readonly Hunk[] | null };

/** What is wrong with a patch, and on which of its lines. Never leaves this folder: `parsePatch` answers with a value. */
export class PatchProblem extends Error {
  readonly patchLine: number;

  constructor(patchLine: number, message: string) {
    super(message);
    this.patchLine = patchLine;
  }
}
