import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { errorCode } from "./system-error.ts";

export const SETTINGS_BYTES_MAX = 1024 * 1024;

export type SettingsText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly hint?: string };

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EACCES", "this user may not read the file"],
  ["ELOOP", "its links lead in a circle"],
]);

type Access = "shared" | "private" | "secret";

/** The bits of a mode that have to be unset. */
const CLOSED = { shared: 0, private: 0o022, secret: 0o077 } as const satisfies Record<Access, number>;

/**
 * The text of a settings file: regular, small, UTF-8; `private` = one that no other user may have written,
 * `secret` = nor may read.
 */
export function readSettings(path: string, access: Access): SettingsText {
  let descriptor: number;
  try {
    // Without O_NONBLOCK a pipe of this name would hold the gate up until somebody writes to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    return { ok: false, code, message: REASONS.get(code) ?? `the file can't be opened (${code})` };
  }
  try {
    return unfit(fstatSync(descriptor), access) ?? decoded(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function unfit(stats: Stats, access: Access): SettingsText | null {
  if (!stats.isFile()) return { ok: false, code: "NOT_REGULAR", message: "this is not a regular file" };
  if (stats.size > SETTINGS_BYTES_MAX) {
    return {
      ok: false,
      code: "TOO_LARGE",
      message: `the file has ${stats.size} bytes, at most ${SETTINGS_BYTES_MAX} are read`,
    };
  }
  const isOwn = (stats.mode & CLOSED[access]) === 0 && stats.uid === process.getuid?.();
  if (access !== "shared" && !isOwn) {
    const what = access === "secret" ? "read" : "write";
    return { ok: false, code: "NOT_PRIVATE", message: `others may ${what} the file` };
  }
  return null;
}

function decoded(bytes: Uint8Array): SettingsText {
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return {
      ok: false,
      code: "NOT_UTF8",
      message: "the file is not UTF-8 text",
      hint: "save it in the encoding UTF-8",
    };
  }
}
