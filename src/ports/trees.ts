/** A name in a folder. Links are not followed. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

/** Something that was put there by the gate: known again by its identity. */
export interface Placeholder {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Looks at folders for what a sandbox has to cover. Never opens a file. */
export interface Trees {
  /** Changes when a name in the folder comes or goes. Null = it is no folder, or may not be looked into. */
  readonly stamp: (folder: string) => bigint | null;
  readonly entries: (folder: string) => readonly TreeEntry[];
  readonly kindOf: (path: string) => TreeEntry["kind"] | "absent";
  /**
   * Puts an empty folder where there is nothing, so that nobody else puts anything there. Never a file, which git and
   * others would take for a new one. Null = somebody was faster, or it can't be made.
   */
  readonly place: (path: string) => Placeholder | null;
  /** Makes an empty file that a program is going to write. Null = it is there, or can't be made. */
  readonly make: (path: string) => Placeholder | null;
  /** Takes it away again, if nobody wrote anything. */
  readonly unmake: (made: Placeholder) => void;
  /** Takes it away again, if it is still the same and still empty. */
  readonly unplace: (placeholder: Placeholder) => void;
}
