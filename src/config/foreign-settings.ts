import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode } from "./system-error.ts";
import { writeDraft } from "./write-draft.ts";

export interface ForeignPlace {
  /** A folder that is the user's, and may be reached by links. */
  readonly base: string;
  /** From there: folders and a file, none of them a link. */
  readonly parts: readonly [string, ...string[]];
}

export type ForeignText =
  | { readonly ok: true; readonly text: string | null; readonly save: (text: string) => string | null }
  | { readonly ok: false; readonly message: string };

const BYTES_MAX = 4 * 1024 * 1024;

/**
 * The settings of another program. `save` puts a text in their place, all of it or nothing, and gives back what keeps it
 * from doing so; null = it is there. INVARIANT (no links): what is read and written lies where it says, and a file that
 * changed in between is not overwritten.
 */
export function openForeignSettings(place: ForeignPlace): ForeignText {
  try {
    const text = inFolder(place, "look", readIn);
    return { ok: true, text, save: (next) => saved(place, text, next) };
  } catch (error) {
    return { ok: false, message: reasonFor(error) };
  }
}

function saved(place: ForeignPlace, before: string | null, text: string): string | null {
  try {
    return inFolder(place, "make", (folder, name) => {
      if (readIn(folder, name) !== before) return "it was changed by somebody else meanwhile";
      const path = join(folder, name);
      const draft = writeDraft(path, text, before === null ? 0o600 : lstatSync(path).mode & 0o777);
      try {
        renameSync(draft, path);
        return null;
      } finally {
        rmSync(draft, { force: true });
      }
    });
  } catch (error) {
    return reasonFor(error);
  }
}

/** Null: there is no such file. */
function readIn(folder: string, name: string): string | null {
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const fd = openSync(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { size } = fstatSync(fd);
      if (!fstatSync(fd).isFile() || size > BYTES_MAX) throw new RangeError("it is no file of settings");
      const bytes = readFileSync(fd);
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Goes down folder by folder, holding each, so that none can be swapped for a link meanwhile. */
function inFolder<Result>(
  { base, parts }: ForeignPlace,
  how: "look" | "make",
  use: (folder: string, name: string) => Result,
): Result | null {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const held = [openSync(base, O_RDONLY | O_DIRECTORY)];
  try {
    for (const part of parts.slice(0, -1)) {
      const path = `/proc/self/fd/${held.at(-1)}/${part}`;
      if (how === "make") mkdirSync(path, { recursive: true, mode: 0o700 });
      held.push(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    }
    return use(`/proc/self/fd/${held.at(-1)}`, parts.at(-1) ?? "");
  } catch (error) {
    if (how === "look" && errorCode(error) === "ENOENT") return null;
    throw error;
  } finally {
    for (const fd of held) closeSync(fd);
  }
}

function reasonFor(error: unknown): string {
  const code = errorCode(error);
  if (code === "ELOOP" || code === "ENOTDIR") return "a link or no folder is in its place, and links are not followed";
  return error instanceof RangeError || error instanceof TypeError
    ? "it is no text that could be edited"
    : `it can't be used (${code})`;
}
