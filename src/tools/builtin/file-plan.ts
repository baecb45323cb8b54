import { CODES } from "../../domain/codes.ts";
import { isWithin } from "../../domain/is-within.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Operand, Plan } from "../../domain/plan.ts";
import type { RunResult } from "../../domain/tool.ts";
import { type FileTouch, isFileTouch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";
import {
  type CheckedPath,
  type FileFault,
  type FileKind,
  type FileResult,
  type Files,
  fault,
  ok,
} from "../../ports/files.ts";

/** What the file system said while the call was planned: nothing ran. */
export const fileRefusal = (fault: FileFault): Refusal => ({ ...fault, stage: "plan" });

/** What it said while the call ran. */
export const failedResult = ({ code, message, hint }: FileFault): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: CODES[code].retryable, ...(hint !== undefined && { detail: hint }) },
  content: [],
});

/** INVARIANT (judged = run): a file tool opens the path of its touch, never the path of its input. */
export function judgedPath({ touches: [touch] }: Plan): CheckedPath {
  if (!isFileTouch(touch)) throw new TypeError("the plan of a file tool begins with a file touch");
  return touch.path as CheckedPath;
}

/** The only operand of a tool that changes one file. */
export function judgedOperand({ operands: [operand] }: Plan): Operand {
  if (operand === undefined) throw new TypeError("the plan of a tool that changes a file has an operand");
  return operand;
}

/** The folders that have to be made for these files, each of them a touch: rules speak about them as about files. */
export async function folderTouches(
  files: Files,
  paths: readonly CheckedPath[],
): Promise<FileResult<readonly FileTouch[]>> {
  const folders = new Set<CheckedPath>();
  for (const path of paths) {
    const missing = await files.missingFolders(path);
    if (!missing.ok) return missing;
    for (const folder of missing.value) folders.add(folder);
    // By how deep it is, and not by how much of the way is there: nobody has been asked yet who may know that.
    if (missing.value.length > 0 && foldersAbove(path, files.workspace) > NEW_FOLDERS_MAX) return TOO_MANY_FOLDERS;
  }
  if (folders.size > NEW_FOLDERS_MAX) return TOO_MANY_FOLDERS;
  const both = paths.find((path) => folders.has(path));
  if (both !== undefined) return fileAndFolder(files.shown(both));
  return ok([...folders].map((path) => ({ kind: "write", path, folder: true })));
}

const NEW_FOLDERS_MAX = LIMITS.newFolders.maximum;

const foldersAbove = (path: CheckedPath, workspace: string): number =>
  path.slice(workspace.length).split("/").length - 2;

const TOO_MANY_FOLDERS = fault(
  "PATH_INVALID",
  `more than ${NEW_FOLDERS_MAX} folders may have to be made`,
  "write to a folder that is there, and not as deep",
);

const fileAndFolder = (shownPath: string) =>
  fault("INVALID_ARGUMENTS", `${labelled(shownPath)} would be a file and a folder`, "name one of them otherwise");

/** INVARIANT (judged = made): a file tool makes the folders of its touches, and no others. */
export const judgedFolders = ({ touches }: Plan, path: CheckedPath): readonly CheckedPath[] =>
  touches.flatMap((touch) =>
    isFileTouch(touch) && touch.folder && isWithin(path, touch.path) ? [touch.path as CheckedPath] : [],
  );

/** What ends so names a folder, whether it is there or not: a file of that name is not what was meant. */
export const namesFolder = (rawPath: string): boolean => /\/\.{0,2}$/.test(rawPath);

/** `nosuch/../a` can't be reached by the kernel, and is judged and opened as `a`. */
export const MAY_BE_FILE: ReadonlySet<FileKind> = new Set<FileKind>(["file", "unreachable"]);

export const changedSince = (shownPath: string): FileResult<never> =>
  fault("CONFLICT", `${labelled(shownPath)} changed since it was judged`, "read the file again and repeat the call");

/** A path inside a message: its end, where the name is, if it is long. */
export const labelled = (shownPath: string): string => quoted(shownPath, { max: 200, keep: "end" });
