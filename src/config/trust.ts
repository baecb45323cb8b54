import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { digestOfText } from "../domain/digest.ts";
import { isJsonObject } from "../domain/json.ts";
import { isClosedByName } from "./closed-by-name.ts";
import type { Environment } from "./environment.ts";
import { realPath } from "./real-path.ts";
import { readSettings, SETTINGS_BYTES_MAX } from "./settings-file.ts";
import { errorCode } from "./system-error.ts";

export type Trusted = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly hint?: string };

/**
 * Which configs this user has accepted, by real path and content: one JSON line each.
 * A config that came with a repository must not loosen anything before somebody has read it (CVE-2025-59536), and
 * one that changed since is a new one (CVE-2025-54136).
 */
export interface TrustStore {
  readonly isTrusted: (path: string, text: string) => boolean;
  readonly trust: (path: string, text: string, nowMs: number) => Trusted;
}

export function openTrust({ xdgState }: Pick<Environment, "xdgState">): TrustStore {
  if (xdgState === null) {
    const message = "this user has no folder for state";
    return { isTrusted: () => false, trust: () => ({ ok: false, message, hint: "set `HOME` or `XDG_STATE_HOME`" }) };
  }
  const folder = join(xdgState, "toolgate");
  const file = join(folder, "trusted");
  return {
    isTrusted: (path, text) => acceptedIn(file)?.keys.has(keyOf(realOf(path), digestOfText(text))) === true,
    trust: (path, text, nowMs) => {
      if (!isClosedByName(file, NAME)) return linkedAt(file);
      const accepted = settledIn(file);
      if (accepted === null) return damagedAt(file);
      const line = { path: realOf(path), sha256: digestOfText(text), at: new Date(nowMs).toISOString() };
      if (accepted.keys.has(keyOf(line.path, line.sha256))) return { ok: true };
      return accepted.isWhole ? append(folder, file, asciiJson(line)) : cutShortAt(file);
    },
  };
}

const NAME = "toolgate/trusted";

const keyOf = (path: string, sha256: string): string => `${sha256} ${path}`;

/** What can't be followed keeps its name, and so is another config than the one it may lead to later. */
function realOf(path: string): string {
  const real = realPath(path);
  return real.ok ? real.path : path;
}

interface Accepted {
  readonly keys: ReadonlySet<string>;
  /** False = there is a last line that another process is still writing, or was cut off in. It accepts nothing. */
  readonly isWhole: boolean;
}

/** Null = the file can't be relied on, so nothing in it is trusted. No file = nothing is, yet. */
function acceptedIn(file: string): Accepted | null {
  if (!isClosedByName(file, NAME)) return null;
  const read = readSettings(file, "private");
  if (!read.ok) return read.code === "ENOENT" ? { keys: new Set(), isWhole: true } : null;
  const lines = read.text.split("\n");
  const isWhole = lines.pop() === "";
  const keys = lines.map(keyFromLine);
  return keys.includes(null) ? null : { keys: new Set(keys as string[]), isWhole };
}

/** A line is written in one go, but who writes it may be held up in the middle. */
const LOOKS_MAX = 100;
const LOOK_AGAIN_MS = 5;

/** Not whole only where the last line was cut short for good. */
function settledIn(file: string): Accepted | null {
  let accepted = acceptedIn(file);
  for (let look = 1; look < LOOKS_MAX && accepted?.isWhole === false; look++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    accepted = acceptedIn(file);
  }
  return accepted;
}

/** ASCII, so that a line is text wherever it is cut. */
function asciiJson(line: Readonly<Record<string, string>>): string {
  return JSON.stringify(line).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function keyFromLine(line: string): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isJsonObject(parsed)) return null;
  const { path, sha256, at } = parsed;
  const isWhole = typeof path === "string" && typeof sha256 === "string" && typeof at === "string";
  return isWhole ? keyOf(path, sha256) : null;
}

const linkedAt = (file: string): Trusted => ({
  ok: false,
  message: `the trust file \`${file}\` is behind a link, under another name than the rules close to tools`,
  hint: "have a folder `toolgate` with a file `trusted` where the link leads, and accept the config again",
});

const damagedAt = (file: string): Trusted => ({
  ok: false,
  message: `the trust file \`${file}\` is damaged, or open to others`,
  hint: "look at it, remove it, and accept the config again",
});

/** What is appended would be a part of that line, and then nothing in the file is trusted any more. */
const cutShortAt = (file: string): Trusted => ({
  ok: false,
  message: `the last line of the trust file \`${file}\` was cut short`,
  hint: "take that line out, and accept the config again; the lines above hold",
});

/** What can't be read any more would trust nothing at all. */
const fullAt = (file: string): Trusted => ({
  ok: false,
  message: `the trust file \`${file}\` has no room: at most ${SETTINGS_BYTES_MAX} bytes are read`,
  hint: "take the lines of old configs out, or remove it and accept what you use again",
});

/** One write at the end of the file: two gates at once leave two whole lines. */
function append(folder: string, file: string, line: string): Trusted {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      if (fstatSync(descriptor).size + Buffer.byteLength(line) >= SETTINGS_BYTES_MAX) return fullAt(file);
      if (!isAppended(descriptor, Buffer.from(`${line}\n`))) return unwritable(file, "no room for it");
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return { ok: true };
  } catch (error) {
    return unwritable(file, errorCode(error));
  }
}

/** False = the disk was full in the middle of the line, and what had room is taken out again: see `cutShortAt`. */
function isAppended(descriptor: number, line: Uint8Array): boolean {
  const written = writeSync(descriptor, line);
  if (written < line.length) ftruncateSync(descriptor, fstatSync(descriptor).size - written);
  return written === line.length;
}

const unwritable = (file: string, reason: string): Trusted => ({
  ok: false,
  message: `the trust file \`${file}\` can't be written (${reason})`,
});
