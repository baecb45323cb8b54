import { closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { errorCode } from "./system-error.ts";
import type { Trusted } from "./trust.ts";

/** Puts a text in the place of a settings file, or where there is none: all of it, or nothing. Keeps its permissions. */
export function saveSettings(path: string, text: string): Trusted {
  const draft = `${path}.new`;
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
    const descriptor = openSync(draft, "w", mode & 0o777);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `\`${path}\` can't be written (${errorCode(error)})` };
  }
}
