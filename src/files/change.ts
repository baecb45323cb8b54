import { type CheckedPath, type FileChange, type FileResult, ok } from "../ports/files.ts";
import { Directories } from "./directories.ts";
import { randomName, writeDraft } from "./draft.ts";
import type { DraftRecords } from "./draft-records.ts";
import { faultFromError, tooLarge } from "./faults.ts";
import { MadeFolders } from "./made-folders.ts";
import { publishAll } from "./publish.ts";
import { openTarget, type ReadyTarget, type Target } from "./target.ts";

export interface ChangeOptions {
  readonly labelOf: (path: CheckedPath) => string;
  /** Of each file. */
  readonly bytesMax: number;
  /** Left out = drafts that a killed process leaves stay. */
  readonly drafts?: DraftRecords | undefined;
}

/**
 * All drafts are written and durable before the first file changes its state, and every file is looked at once more
 * right before that. So what is likely to fail (no room, no permission, somebody else's write) fails while nothing has
 * happened yet.
 */
export async function change(changes: readonly FileChange[], options: ChangeOptions): Promise<FileResult<null>> {
  if (new Set(changes.map(({ path }) => path)).size < changes.length) throw new TypeError("a file is changed twice");
  await using held = new AsyncDisposableStack();
  const directories = held.use(new Directories());
  const folders = held.use(new MadeFolders(directories));
  const targets: Target[] = [];
  for (const each of deletionsLast(changes)) {
    const opened = await openWithin(each, folders, options);
    if (!opened.ok) return opened;
    targets.push(held.use(opened.value));
  }
  const ready: ReadyTarget[] = [];
  for (const target of targets) {
    const name = randomName();
    if (target.change.content !== null && options.drafts) held.use(options.drafts.add(`${target.cursor.path}/${name}`));
    const drafted = await withDraft(target, targets, directories, name);
    if (!drafted.ok) return drafted;
    held.use(drafted.value.draft);
    ready.push(drafted.value);
  }
  const published = publishAll(ready);
  if (!published.ok) return published;
  folders.keep();
  return await directories.sync(ready);
}

/** A crash in the middle of a move leaves two files instead of none. */
const deletionsLast = (changes: readonly FileChange[]): readonly FileChange[] =>
  changes.toSorted((a, b) => Number(a.content === null) - Number(b.content === null));

async function openWithin(
  each: FileChange,
  folders: MadeFolders,
  { labelOf, bytesMax }: ChangeOptions,
): Promise<FileResult<Target>> {
  const label = labelOf(each.path);
  if (each.content !== null && each.content.length > bytesMax) return tooLarge(label, bytesMax, "write a smaller file");
  try {
    const made = await folders.make(each.folders ?? [], label);
    return made.ok ? await openTarget(each, label) : made;
  } catch (error) {
    return faultFromError(error, label);
  }
}

async function withDraft(
  target: Target,
  all: readonly Target[],
  directories: Directories,
  name: string,
): Promise<FileResult<ReadyTarget>> {
  const { cursor, label, stats, change } = target;
  const { content, like, executable } = change;
  try {
    await directories.open(cursor);
    const model = like === undefined ? stats : (all.find(({ change: { path } }) => path === like)?.stats ?? null);
    const draft = content === null ? null : await writeDraft(cursor, content, { like: model, executable }, name);
    return ok({ ...target, draft });
  } catch (error) {
    return faultFromError(error, label);
  }
}
