import type { Digest } from "../domain/digest.ts";
import type { Refusal } from "../domain/outcome.ts";

/** INVARIANT (checked): only `Files.locate` makes one. Absolute, no `.` or `..`, no links as of then. */
export type CheckedPath = string & { readonly checked: unique symbol };

/** `unreachable`: something on the way is missing, is no directory or may not be entered; opening it says which. */
export type FileKind = "file" | "directory" | "other" | "absent" | "unreachable";

export interface Located {
  readonly path: CheckedPath;
  readonly kind: FileKind;
  /** Size in bytes; 0 unless `kind` is `file`. */
  readonly bytes: number;
}

export type FileFault = Pick<Refusal, "code" | "message" | "hint">;

export type FileResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: FileFault };

export interface ReadRange {
  readonly offset: number;
  /** Bytes at the most. */
  readonly limit: number;
}

/** The only way to files. Every method answers with a value, also when the operating system says no. */
export interface Files {
  /** Resolves `rawPath` against the workspace: links followed one component at a time, nothing opened for data. */
  readonly locate: (rawPath: string) => Promise<FileResult<Located>>;
  /** Opens exactly the checked path: a link that has appeared on the way since is refused with `CONFLICT`. */
  readonly read: (path: CheckedPath, range: ReadRange) => Promise<FileResult<Uint8Array>>;
  /** Digest of the whole file, or null where there is none. */
  readonly digest: (path: CheckedPath) => Promise<FileResult<Digest | null>>;
  /**
   * Replaces or creates the file in one step, keeping its mode; a reader sees the old or the new content, never a part.
   * Refused with `CONFLICT` when the file's digest is no longer `before`.
   */
  readonly write: (
    path: CheckedPath,
    content: Uint8Array,
    before: Digest | null,
  ) => Promise<FileResult<{ bytes: number }>>;
  /** The path as people and outcomes see it: relative to the workspace. */
  readonly shown: (path: string) => string;
  readonly workspace: string;
}
