import { renameSync, statSync } from "node:fs";
import { errorCode } from "./system-error.ts";
import type { Trusted } from "./trust.ts";
import { writeDraft } from "./write-draft.ts";

/** Puts a text in the place of a settings file, or where there is none: all of it, or nothing. Keeps its permissions. */
export function saveSettings(path: string, text: string): Trusted {
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
    renameSync(writeDraft(path, text, mode & 0o777), path);
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `\`${path}\` can't be written (${errorCode(error)})` };
  }
}
