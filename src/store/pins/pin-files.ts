import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PinStore, Pins } from "../../ports/pins.ts";
import { whileLocked } from "../sqlite/locked-file.ts";

const VERSION = 1;
/**
 * A name that can be a file's, and no other file's: of an upstream, of what it offers beside its tools, of its code; or of
 * the code of all governors, under a name that no upstream can have.
 */
const NAME = /^(?:[a-z][a-z0-9-]{0,31}(?:\.offers|\.code)?|_governors\.code)$/;

/** A file or two for each upstream in the state directory, written beside its place and moved into it; and a lock for each. */
export const pinFiles = (stateDir: string, clock: Clock): PinStore => ({
  read: (upstream) => {
    const place = placeOf(stateDir, upstream, "json");
    const text = textIn(place);
    if (text === null) return null;
    const { v, tools } = JSON.parse(text) as { readonly v?: unknown; readonly tools?: Pins };
    if (v !== VERSION || typeof tools !== "object") throw new TypeError(`the pins of \`${upstream}\` can't be read`);
    return tools;
  },
  write: (upstream, tools) => {
    const place = placeOf(stateDir, upstream, "json");
    mkdirSync(join(stateDir, "mcp"), { recursive: true, mode: 0o700 });
    const draft = `${place}.${randomBytes(8).toString("hex")}`;
    try {
      writeWhole(draft, `${canonicalJson({ v: VERSION, tools } as unknown as JsonValue)}\n`);
      renameSync(draft, place);
      syncFolder(join(stateDir, "mcp"));
    } finally {
      rmSync(draft, { force: true });
    }
  },
  // INVARIANT (none lost): what is read, and another put in its place, by one process at a time.
  alone: (upstream, step) => whileLocked(placeOf(stateDir, upstream, "lock"), clock, step),
});

function placeOf(stateDir: string, upstream: string, kind: "json" | "lock"): string {
  if (!NAME.test(upstream)) throw new TypeError("no upstream has such a name");
  if (hasForeignFolder(stateDir)) throw new TypeError("the folder of the pins is none");
  return join(stateDir, "mcp", `${upstream}.${kind}`);
}

/** A link there would have us read or write somewhere else. */
const hasForeignFolder = (stateDir: string): boolean =>
  lstatSync(join(stateDir, "mcp"), { throwIfNoEntry: false })?.isDirectory() === false;

function textIn(path: string): string | null {
  try {
    const stats = lstatSync(path);
    // Pins say what a person has accepted. What others could have written says nothing, nor does what came with a
    // repository, whose files everybody may read.
    const isOwn = stats.isFile() && (stats.mode & 0o077) === 0 && stats.uid === process.getuid?.();
    if (!isOwn) throw new TypeError("the pins are somebody else's");
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function writeWhole(path: string, text: string): void {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
