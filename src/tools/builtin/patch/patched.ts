import { type Digest, digestOfBytes } from "../../../domain/digest.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { Operand } from "../../../domain/plan.ts";
import { type CheckedPath, type FileChange, type FileResult, type Files, fault, ok } from "../../../ports/files.ts";
import { changedSince, labelled } from "../file-plan.ts";
import { redactedFault } from "../redacted-content.ts";
import { bytesFromText, readTextFile } from "../text-file.ts";
import { applyHunks } from "./apply-hunks.ts";
import { type LineEnds, lineEndsOf } from "./line-ends-of.ts";
import { pathsOf, type Work } from "./work.ts";

/** What becomes of one file of a patch. */
export interface Patched {
  readonly before: Digest | null;
  /** Null = the file goes away. */
  readonly result: FileResult<{ readonly bytes: Uint8Array | null }>;
  /** What is shown to whoever may read the file. */
  readonly texts?: { readonly oldText: string | null; readonly newText: string };
}

/** Works it out, and changes nothing. All files together have a limit, since they are in memory at the same time. */
export async function patchAll(files: Files, works: readonly Work[]): Promise<readonly Patched[]> {
  const lineEnds = lineEndsOf(works.map(({ file }) => file));
  const all: Patched[] = [];
  let bytes = 0;
  for (const work of works) {
    const patched = await patchOne(files, work, lineEnds);
    bytes += patched.result.ok ? (patched.result.value.bytes?.length ?? 0) : 0;
    all.push(bytes > LIMITS.writeBytes.maximum ? { before: patched.before, result: tooMuch() } : patched);
  }
  return all;
}

const tooMuch = () =>
  fault(
    "FILE_TOO_LARGE",
    `the files of the patch have more than ${LIMITS.writeBytes.maximum} bytes together`,
    "make several patches of it",
  );

async function patchOne(files: Files, { file, source }: Work, lineEnds: LineEnds): Promise<Patched> {
  if (file.kind === "add") return withText(null, null, file.content, file.path);
  if (source === null) throw new TypeError("only a new file has no old one");
  const shown = files.shown(source);
  if (file.kind === "delete" && file.hunks === null) {
    const before = await files.digest(source);
    return before.ok ? { before: before.value, result: ok({ bytes: null }) } : { before: null, result: before };
  }
  // A mere move or change of mode is about any file, not only about text.
  if (file.kind === "update" && file.hunks.length === 0) return await asItIs(files, source);
  const old = await readTextFile(files, source);
  if (!old.ok) return { before: null, result: old };
  const { text, digest: before } = old.value;
  const applied = named(applyHunks(text, file.hunks ?? [], lineEnds), shown);
  if (!applied.ok) return { before, result: applied };
  if (file.kind === "delete") return { before, result: applied.value === "" ? ok({ bytes: null }) : notAll(shown) };
  return withText(before, text, applied.value, shown);
}

async function asItIs(files: Files, path: CheckedPath): Promise<Patched> {
  const read = await files.read(path, { offset: 0, limit: Number.POSITIVE_INFINITY });
  return read.ok
    ? { before: digestOfBytes(read.value), result: ok({ bytes: read.value }) }
    : { before: null, result: read };
}

function withText(before: Digest | null, oldText: string | null, newText: string, shownPath: string): Patched {
  const redacted = redactedFault(oldText === null ? [] : [oldText], [newText]);
  if (redacted) return { before, result: { ok: false, fault: redacted } };
  const bytes = bytesFromText(newText, shownPath);
  return bytes.ok
    ? { before, result: ok({ bytes: bytes.value }), texts: { oldText, newText } }
    : { before, result: bytes };
}

/** A hunk's message does not know the file. */
const named = <T>(result: FileResult<T>, shownPath: string): FileResult<T> =>
  result.ok
    ? result
    : { ok: false, fault: { ...result.fault, message: `${labelled(shownPath)}: ${result.fault.message}` } };

const notAll = (shownPath: string) =>
  fault(
    "CONTENT_NOT_FOUND",
    `${labelled(shownPath)} holds more than the lines that the patch removes, so it is not deleted`,
    "read the file again and make the patch anew",
  );

/** What does not fit is judged as a change that changes nothing, and the run then says what is wrong: see `edit_file`. */
export const operandsOf = (works: readonly Work[], patched: readonly Patched[]): readonly Operand[] =>
  works.flatMap((work, i) => {
    const { before, after } = digestsOf(patched[i]);
    return pathsOf(work).map((path) => ({
      path,
      before: path === work.source ? before : null,
      after: path === work.target ? after : null,
    }));
  });

function digestsOf(patched: Patched | undefined): { before: Digest | null; after: Digest | null } {
  const before = patched?.before ?? null;
  if (!patched?.result.ok) return { before, after: before };
  const { bytes } = patched.result.value;
  return { before, after: bytes === null ? null : digestOfBytes(bytes) };
}

/** The changes, if every file is still what it was judged to be and becomes what it was judged to become. */
export function changesFrom(
  files: Files,
  works: readonly Work[],
  patched: readonly Patched[],
  operands: readonly Operand[],
): FileResult<readonly FileChange[]> {
  const judged = new Map(operands.map((operand) => [operand.path, operand]));
  const changes: FileChange[] = [];
  for (const [i, work] of works.entries()) {
    const one = patched[i];
    if (one === undefined) throw new TypeError("each file of a patch was worked out");
    const made = changesOfOne(files, work, one, judged);
    if (!made.ok) return made;
    changes.push(...made.value);
  }
  return ok(changes);
}

function changesOfOne(
  files: Files,
  { file, source, target }: Work,
  { before, result }: Patched,
  judged: ReadonlyMap<string, Operand>,
): FileResult<readonly FileChange[]> {
  if (source !== null && judged.get(source)?.before !== before) return changedSince(files.shown(source));
  if (!result.ok) return result;
  const { bytes } = result.value;
  const changes: FileChange[] = [];
  if (target !== null && bytes !== null) {
    if (judged.get(target)?.after !== digestOfBytes(bytes)) return changedSince(files.shown(target));
    const isNew = target !== source;
    changes.push({
      path: target,
      before: isNew ? null : before,
      content: bytes,
      ...(isNew && { onlyNew: true as const }),
      ...(isNew && source !== null && { like: source }),
      ...(file.kind !== "delete" && file.executable !== undefined && { executable: file.executable }),
    });
  }
  if (source !== null && source !== target) changes.push({ path: source, before, content: null });
  return ok(changes);
}
