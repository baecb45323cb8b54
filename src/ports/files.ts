import type { Digest } from "../domain/digest.ts";
import type { Refusal } from "../domain/outcome.ts";

/** INVARIANT (checked): only `locate` and `list` make one. Absolute, no `.` or `..`, no links as of then. */
export type CheckedPath = string & { readonly checked: unique symbol };

/** `unreachable`: something on the way is missing, is no directory or may not be entered; opening it says which. */
export type FileKind = "file" | "directory" | "other" | "absent" | "unreachable";

export interface Located {
  readonly path: CheckedPath;
  readonly kind: FileKind;
  /** Size in bytes; 0 unless `kind` is `file`. */
  readonly bytes: number;
  /** By which other names it was reached: `FileTouch.links`. */
  readonly links?: readonly string[];
}

/** For a touch. */
export const reachedBy = ({ links }: Pick<Located, "links">): Pick<Located, "links"> =>
  links === undefined ? {} : { links };

export type FileFault = Pick<Refusal, "code" | "message" | "hint">;

export type FileResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: FileFault };

export const ok = <T>(value: T): FileResult<T> => ({ ok: true, value });

/** A no in the user's words: one line, and what to do next. */
export const fault = (code: FileFault["code"], message: string, hint?: string): FileResult<never> => ({
  ok: false,
  fault: hint === undefined ? { code, message } : { code, message, hint },
});

export interface ReadRange {
  readonly offset: number;
  /** Bytes at the most. */
  readonly limit: number;
}

/** What is to become of one file. */
export interface FileChange {
  readonly path: CheckedPath;
  /** Digest of the file as it was judged; null = there was none. */
  readonly before: Digest | null;
  /** The whole new content; null = the file goes away. */
  readonly content: Uint8Array | null;
  /** Folders above it, the outermost first, that are made where they are not there. Of others, none is made. */
  readonly folders?: readonly CheckedPath[];
  /** The file has to be new: one that is there is `FILE_EXISTS`, and not a `CONFLICT`. */
  readonly onlyNew?: true;
  /** Another file of the same change, whose permissions the new file takes over: a move keeps them. */
  readonly like?: CheckedPath;
  /** Whether those who may read it may also run it. Not given = as it was. */
  readonly executable?: boolean;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly path: CheckedPath;
  /** A link is not followed, whatever it leads to. */
  readonly kind: "file" | "directory" | "link" | "other";
  /** Size in bytes; 0 unless `kind` is `file`. */
  readonly bytes: number;
}

export interface Listing {
  /** In the order of the bytes of their names, a directory's name with a slash behind it. */
  readonly entries: readonly DirectoryEntry[];
  /** The directory holds more than anybody wants to read. */
  readonly truncated: boolean;
  /** How many names were left out because they are not UTF-8, so that no path can name them. */
  readonly unnamed: number;
}

/** Something that was judged, held open: whatever happens to its name, this is still it. Nothing is opened for data. */
export interface HeldPath extends Disposable {
  readonly path: CheckedPath;
  readonly kind: "file" | "directory";
  /** A descriptor of this process. No program may get it: `..` of a directory leads out of any sandbox. */
  readonly fd: number;
}

/** The only way to files. Every method answers with a value, also when the operating system says no. */
export interface Files {
  /** Resolves `rawPath` against the workspace: links followed one component at a time, nothing opened for data. */
  readonly locate: (rawPath: string) => Promise<FileResult<Located>>;
  /** Opens exactly the checked path: a link that has appeared on the way since is refused with `CONFLICT`. */
  readonly read: (path: CheckedPath, range: ReadRange) => Promise<FileResult<Uint8Array>>;
  /** Digest of the whole file, or null where there is none. */
  readonly digest: (path: CheckedPath) => Promise<FileResult<Digest | null>>;
  /** The folders of the workspace above a path that are not there, the outermost first. */
  readonly missingFolders: (path: CheckedPath) => Promise<FileResult<readonly CheckedPath[]>>;
  /** What one directory holds. */
  readonly list: (path: CheckedPath) => Promise<FileResult<Listing>>;
  /** Holds exactly the checked path: for a sandbox, which makes sure that it mounts what is held. */
  readonly hold: (path: CheckedPath, kind: HeldPath["kind"]) => Promise<FileResult<HeldPath>>;
  /**
   * Replaces, creates and deletes files, keeping their modes: all of them, or none. A reader sees the old or the new
   * content of a file, never a part. Refused with `CONFLICT` when the digest of one of them is no longer `before`.
   * All or none holds while this process lives; a crash between two renames leaves the first one done, and one before
   * them the folders that were made.
   */
  readonly change: (changes: readonly FileChange[]) => Promise<FileResult<null>>;
  /** The path as people and outcomes see it: relative to the workspace. */
  readonly shown: (path: string) => string;
  readonly workspace: string;
}
