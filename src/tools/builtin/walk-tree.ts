import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../domain/limits.ts";
import { type CheckedPath, type DirectoryEntry, type FileResult, type Files, ok } from "../../ports/files.ts";
import { Steps } from "./glob.ts";
import { type IgnoreFile, ignoreFileFrom, isIgnored } from "./ignore-file.ts";

export interface WalkOptions {
  /** What is passed over as if it were not there. */
  readonly isHidden: (path: string) => boolean;
  /** The `.gitignore` files above the root, the uppermost first. */
  readonly ignoreFilesAbove: readonly CheckedPath[];
  readonly signal: AbortSignal;
  /** Told of each entry, in the order of their paths; ends the walk with "stop". */
  readonly visit: (entry: DirectoryEntry) => "go on" | "stop";
}

export interface Walked {
  /** Not everything was looked at. */
  readonly isCut: boolean;
  /** Directories that could not be listed, and names that can't be written down. */
  readonly left: number;
}

const IGNORE_FILE = ".gitignore";
const IGNORE_BYTES_MAX = 1024 * 1024;
const ENTRIES_BETWEEN_TURNS = 128;
/** Some tens of milliseconds. For one entry no repository needs more that is not made to. */
const STEPS_MAX = 4_000_000;

/** A directory of which some entries are still to be told of. */
interface Open {
  readonly entries: Iterator<DirectoryEntry>;
  readonly ignoreFiles: readonly IgnoreFile[];
}

/**
 * Everything below a directory, but for `.git`, what the `.gitignore` files leave out, and what is hidden. Links are
 * told of and not followed. A fault is about the root alone; a directory further down that can't be listed is counted.
 */
export async function walkTree(files: Files, root: CheckedPath, options: WalkOptions): Promise<FileResult<Walked>> {
  const above = await ignoreFilesAt(files, options.ignoreFilesAbove);
  let left = 0;
  const opened = async (path: CheckedPath, ignoreFiles: readonly IgnoreFile[]): Promise<FileResult<Open>> => {
    const listed = await files.list(path);
    if (!listed.ok) return listed;
    left += listed.value.unnamed;
    const visible = listed.value.entries.filter((entry) => entry.name !== ".git" && !options.isHidden(entry.path));
    const own = visible.filter(({ name, kind }) => name === IGNORE_FILE && kind === "file").map((entry) => entry.path);
    return ok({ entries: visible.values(), ignoreFiles: [...ignoreFiles, ...(await ignoreFilesAt(files, own))] });
  };
  const start = await opened(root, above);
  if (!start.ok) return start;

  const stack: Open[] = [start.value];
  let seen = 0;
  let steps = new Steps(STEPS_MAX);
  for (let open = stack.at(-1); open !== undefined; open = stack.at(-1)) {
    const { value: entry, done } = open.entries.next();
    if (done) {
      stack.pop();
      continue;
    }
    seen += 1;
    if (seen % ENTRIES_BETWEEN_TURNS === 0 || steps.taken > STEPS_MAX / 2) {
      await setImmediate();
      steps = new Steps(STEPS_MAX);
    }
    if (seen > LIMITS.walkEntries.default || options.signal.aborted) return ok({ isCut: true, left });
    const isLeftOut = isIgnored(open.ignoreFiles, entry.path, entry.kind, steps);
    if (steps.isExhausted) return ok({ isCut: true, left });
    if (isLeftOut) continue;
    if (options.visit(entry) === "stop") return ok({ isCut: true, left });
    if (entry.kind !== "directory") continue;
    const inner = await opened(entry.path, open.ignoreFiles);
    if (inner.ok) stack.push(inner.value);
    else left += 1;
  }
  return ok({ isCut: false, left });
}

/** One that can't be read leaves nothing out. */
async function ignoreFilesAt(files: Files, paths: readonly CheckedPath[]): Promise<readonly IgnoreFile[]> {
  const found: IgnoreFile[] = [];
  for (const path of paths) {
    const read = await files.read(path, { offset: 0, limit: IGNORE_BYTES_MAX });
    const directory = path.slice(0, -IGNORE_FILE.length - 1) || "/";
    if (read.ok) found.push(ignoreFileFrom(new TextDecoder().decode(read.value), directory));
  }
  return found;
}
