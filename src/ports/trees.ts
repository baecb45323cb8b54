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

/** An empty folder that stands for nothing, for as long as anybody has a marker in it. */
export interface PlacedFolder {
  readonly path: string;
  readonly marker: string;
}

/** Looks at folders for what a sandbox has to cover. Never opens a file. */
export interface Trees {
  /** Changes when a name in the folder comes or goes. Null = it is no folder, or may not be looked into. */
  readonly stamp: (folder: string) => bigint | null;
  readonly entries: (folder: string) => readonly TreeEntry[];
  readonly kindOf: (path: string) => TreeEntry["kind"] | "absent";
  /**
   * Puts an empty folder where there is nothing, so that nobody else puts anything there; or joins those who did, in this
   * process or another. Never a file, which git and others would take for a new one. Null = something else is there, or it
   * can't be made.
   */
  readonly place: (path: string) => PlacedFolder | null;
  /** Makes an empty file that a program is going to write. Null = it is there, or can't be made. */
  readonly make: (path: string) => Placeholder | null;
  /** Takes it away again, if nobody wrote anything. */
  readonly unmake: (made: Placeholder) => void;
  /** Leaves it; the last one takes it away. */
  readonly unplace: (placed: PlacedFolder) => void;
}
