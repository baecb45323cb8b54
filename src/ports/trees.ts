/** A name in a folder. Links are not followed. */
export interface TreeEntry {
  /** Not well-formed if it is no UTF-8: see `byte-names.ts`. */
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "socket" | "other";
}

/** A file that the gate has made for a program. */
export interface MadeFile {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface Listing {
  /**
   * - `absent`: there is no folder of this path, or neither the gate nor its programs can get into it.
   * - `unreadable`: there is one that the gate can't list, and a program could come to (its mode, or a path that is too long).
   */
  readonly content: readonly TreeEntry[] | "absent" | "unreadable";
  /** Of the folder that was listed, if it did not change meanwhile. */
  readonly stamp: string | null;
}

/** Looks at folders for what a sandbox has to cover. Opens no file for its content. */
export interface Trees {
  /** Which folder it is, and the time of its last change: another one when a name in it comes or goes. Null = it can't be looked up. */
  readonly stamp: (folder: string) => string | null;
  /** No link is followed on the way. */
  readonly list: (folder: string) => Listing;
  readonly kindOf: (path: string) => TreeEntry["kind"] | "absent";
  /** The beginning of a regular file, no link followed. Null = it is something else, or it is longer. */
  readonly shortText: (path: string, bytesMax: number) => string | null;
  /** SHA-256 of a regular file's content. Null = it is something else, or larger than anything that belongs at a closed place. */
  readonly digest: (path: string) => string | null;
  /** Gives the gate's own user its rights on a folder back, which a program took away. False = it can't. */
  readonly unlock: (folder: string) => boolean;
  /** Makes an empty file that a program is going to write; a root gate gives it to the owner of the folder `ownedLike`. Null = it is there, or can't be made. */
  readonly make: (path: string, ownedLike: string) => MadeFile | null;
  /** Takes it away again if nothing has written to it. */
  readonly unmake: (made: MadeFile) => void;
}
