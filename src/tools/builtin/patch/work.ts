import type { Operand, PlanDraft } from "../../../domain/plan.ts";
import type { FileTouch } from "../../../domain/touch.ts";
import {
  type CheckedPath,
  type FileResult,
  type Files,
  fault,
  type Located,
  ok,
  reachedBy,
} from "../../../ports/files.ts";
import { labelled, namesFolder } from "../file-plan.ts";
import type { FilePatch } from "./patch.ts";

/** What a patch does to one file, with the paths that are judged. */
export interface Work {
  readonly file: FilePatch;
  /** The file that is there now; null = a new one. */
  readonly source: CheckedPath | null;
  /** The file that will be there; null = it goes away. The same as `source`, unless it moves. */
  readonly target: CheckedPath | null;
  /** By which other names the two were reached. */
  readonly links?: { readonly source: Pick<Located, "links">; readonly target: Pick<Located, "links"> };
}

export async function locateWorks(files: Files, patches: readonly FilePatch[]): Promise<FileResult<readonly Work[]>> {
  const works: Work[] = [];
  for (const file of patches) {
    const source = file.kind === "add" ? ok(null) : await files.locate(file.path);
    if (!source.ok) return source;
    if (namesFolder(targetOf(file))) return folderFault(targetOf(file));
    const target = file.kind === "delete" ? ok(null) : await files.locate(targetOf(file));
    if (!target.ok) return target;
    const links = { source: reachedBy(source.value ?? {}), target: reachedBy(target.value ?? {}) };
    works.push({ file, source: source.value?.path ?? null, target: target.value?.path ?? null, links });
  }
  const twice = namedTwice(works);
  return twice === null ? ok(works) : twiceFault(files.shown(twice));
}

const targetOf = (file: FilePatch): string => (file.kind === "update" ? (file.moveTo ?? file.path) : file.path);

/** By the paths that links lead to, so that two names of one file are one file. */
function namedTwice(works: readonly Work[]): CheckedPath | null {
  const seen = new Set<CheckedPath>();
  for (const path of works.flatMap(pathsOf)) {
    if (seen.has(path)) return path;
    seen.add(path);
  }
  return null;
}

/** The files that change, the new one of a move first. A move has two, and each of them is an operand. */
export function pathsOf({ file, source, target }: Work): readonly CheckedPath[] {
  const isMove = file.kind === "update" && file.moveTo !== null;
  return (isMove ? [target, source] : [target ?? source]).filter((path) => path !== null);
}

/** Where files will be that are not there yet. */
export const newPaths = (works: readonly Work[]): readonly CheckedPath[] =>
  works.flatMap(({ source, target }) => (target === null || target === source ? [] : [target]));

const folderFault = (rawPath: string) =>
  fault("INVALID_ARGUMENTS", `${labelled(rawPath)} names a folder`, "name a file in it, and it is created");

const twiceFault = (shownPath: string) =>
  fault("INVALID_ARGUMENTS", `the patch names ${labelled(shownPath)} twice`, "make one part of both, or two calls");

export function touchesOf(works: readonly Work[]): PlanDraft["touches"] {
  const [first, ...rest] = works.flatMap(touchesOfOne);
  if (first === undefined) throw new TypeError("a patch touches at least one file");
  return [first, ...rest];
}

function touchesOfOne({ file, source, target, links }: Work): readonly FileTouch[] {
  const touches: FileTouch[] = [];
  // A deletion that says what the file holds is answered by whether it does.
  if (source !== null && (file.kind !== "delete" || file.hunks !== null))
    touches.push({ kind: "read", path: source, ...links?.source });
  if (target !== null) touches.push({ kind: "write", path: target, ...links?.target });
  if (source !== null && source !== target) touches.push({ kind: "delete", path: source, ...links?.source });
  return touches;
}

/** INVARIANT (judged = run): the same works, with the paths of the plan and none of the patch. */
export function worksFrom(patches: readonly FilePatch[], operands: readonly Operand[]): readonly Work[] {
  const paths = operands.map(({ path }) => path as CheckedPath);
  const next = (): CheckedPath => {
    const path = paths.shift();
    if (path === undefined) throw new TypeError("the plan of a patch has an operand for each of its files");
    return path;
  };
  return patches.map((file) => {
    const path = next();
    if (file.kind === "add") return { file, source: null, target: path };
    if (file.kind === "delete") return { file, source: path, target: null };
    return { file, source: file.moveTo === null ? path : next(), target: path };
  });
}
