/** A name in a folder. Links are not followed. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

/** Something that was put there by the gate: known again by its identity. */
export interface MadeFile {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A folder, seldom a file, that keeps others from putting anything there, for as long as anybody claims it. */
export interface Placeholder extends MadeFile {
  readonly claim: string;
  /** The folder was there, and stays. */
  readonly isTheirs?: true;
  /** It is a file after all, and this folder beside it holds the claims: nobody else may change it. */
  readonly claims?: string;
}

/** Looks at folders for what a sandbox has to cover. Never opens a file. */
export interface Trees {
  /** Changes when a name in the folder comes or goes. Null = it is no folder, or may not be looked into. */
  readonly stamp: (folder: string) => bigint | null;
  readonly entries: (folder: string) => readonly TreeEntry[];
  readonly kindOf: (path: string) => TreeEntry["kind"] | "absent";
  /**
   * Puts a folder where there is nothing, or shares one that was only put there: so that nobody else puts anything
   * there. Never a file, which git and others would take for a new one, but for what git itself reads in `.git`. Null = there is something, or it can't be made.
   */
  readonly place: (path: string) => Placeholder | null;
  /** The same for a folder above such a place: programs may put something into it. Null = it is somebody's own. */
  readonly placeAround: (path: string) => Placeholder | null;
  /** Takes away, of the names in a folder, what a gate that was killed was about to place there. */
  readonly sweep: (folder: string, names: Iterable<string>) => void;
  /** Makes an empty file that a program is going to write. Null = it is there, or can't be made. */
  readonly make: (path: string) => MadeFile | null;
  /** Takes it away again, if nobody wrote anything. */
  readonly unmake: (made: MadeFile) => void;
  /** Takes it away again, if it is still the same and nobody else needs it. */
  readonly unplace: (placeholder: Placeholder) => void;
}
