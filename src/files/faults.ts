import type { Code } from "../domain/codes.ts";
import { shownPath } from "../domain/shown-path.ts";
import { quoted } from "../domain/visible.ts";
import { type FileResult, fault } from "../ports/files.ts";

/** `path` for a message: relative to the workspace, and its end, where the name is, if it is long. */
export const labelFrom = (workspace: string, path: string): string =>
  quoted(shownPath(workspace, path), { max: LABEL_CHARS_MAX, keep: "end" });

const LABEL_CHARS_MAX = 200;

export const missing = (label: string) => fault("FILE_NOT_FOUND", `there is no file at ${label}`, "check the path");

export const changed = (label: string) =>
  fault("CONFLICT", `${label} changed since it was judged`, "read the file again and repeat the call");

export const exists = (label: string) =>
  fault("FILE_EXISTS", `there is a file at ${label} already`, "name another file, or change the one that is there");

export const notRegular = (label: string) =>
  fault("NOT_REGULAR_FILE", `${label} is not a regular file`, "name a file, not a directory, device, pipe or socket");

export const tooLarge = (label: string, bytesMax: number, hint: string) =>
  fault("FILE_TOO_LARGE", `${label} is over the limit of ${bytesMax} bytes`, hint);

interface ErrnoFault {
  readonly code: Code;
  readonly says: string;
  readonly hint?: string;
}

const DENIED: ErrnoFault = {
  code: "ACCESS_DENIED",
  says: "may not be used: the operating system denies access",
  hint: "ask the owner for the permission, or use another file",
};

/** What the operating system's refusals mean here. Whatever is not in this table is `IO_ERROR`. */
const ERRNO_FAULTS: Readonly<Record<string, ErrnoFault>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  ERR_ACCESS_DENIED: DENIED, // Node's own permission model (`node --permission`)
  EROFS: { code: "ACCESS_DENIED", says: "lies on a read-only file system", hint: "write to another place" },
  ENOENT: { code: "FILE_NOT_FOUND", says: "does not exist", hint: "check the path" },
  ENOTDIR: { code: "PATH_INVALID", says: "leads through something that is not a directory", hint: "check the path" },
  ELOOP: { code: "PATH_INVALID", says: "leads through too many links", hint: "name the file itself" },
  ENAMETOOLONG: { code: "PATH_INVALID", says: "holds a name that is too long", hint: "a name has at most 255 bytes" },
  EISDIR: { code: "NOT_REGULAR_FILE", says: "is a directory", hint: "name a file in it" },
  // An open that does not wait meets a file that another process holds a lease on (`man 2 fcntl`, F_SETLEASE).
  EAGAIN: { code: "IO_ERROR", says: "is held by another process", hint: "try again later" },
  ENOSPC: { code: "IO_ERROR", says: "does not fit: the disk is full", hint: "free some space, then try again" },
  EDQUOT: {
    code: "IO_ERROR",
    says: "does not fit: the disk quota is used up",
    hint: "free some space, then try again",
  },
};

const UNLISTED: ErrnoFault = { code: "IO_ERROR", says: "could not be read or written", hint: "try again later" };

/** The `ENOENT` of an error of the operating system; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  const fromSystem = error instanceof Error && "code" in error && ("syscall" in error || "permission" in error);
  return fromSystem ? String(error.code) : undefined;
}

export function faultFromErrno(errno: string, label: string): FileResult<never> {
  const known = Object.hasOwn(ERRNO_FAULTS, errno) ? ERRNO_FAULTS[errno] : undefined;
  const { code, says, hint } = known ?? UNLISTED;
  return fault(code, `${label} ${says}`, hint);
}

/** What the operating system says becomes a value; our own mistakes stay errors. */
export function faultFromError(error: unknown, label: string): FileResult<never> {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  return faultFromErrno(errno, label);
}
