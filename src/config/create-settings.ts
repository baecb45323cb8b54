import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { errorCode } from "./system-error.ts";

export type Created = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly hint: string };

/** Writes a new settings file. Never replaces one. */
export function createSettings(path: string, text: string): Created {
  try {
    const descriptor = openSync(path, "wx", 0o644);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return { ok: true };
  } catch (error) {
    return errorCode(error) === "EEXIST"
      ? { ok: false, message: "is there already and was left as it is", hint: "edit it, or move it away first" }
      : { ok: false, message: `can't be written (${errorCode(error)})`, hint: "check the folder and its permissions" };
  }
}
