import { Buffer } from "node:buffer";
import { isWithin } from "../../../domain/is-within.ts";
import type { Operand } from "../../../domain/plan.ts";
import { type CheckedPath, type FileResult, type Files, fault, ok } from "../../../ports/files.ts";
import { labelled } from "../file-plan.ts";
import { type RepositoryConfig, readRepositoryConfig } from "./repository-config.ts";

export interface FoundRepository {
  readonly repository: string;
  readonly config: RepositoryConfig;
  /** Where git looks for its files, each with a slash at its end. */
  readonly folders: readonly string[];
  /** What was read of it: git must not find something else there. */
  readonly operands: readonly Operand[];
}

const BYTES_MAX = 1024 * 1024;

/**
 * The repository whose configuration git would read: the nearest one, and never one above the workspace. A `.git` that is none
 * after all would lead git on to what stands above, which nobody has read: it is told not to look there (`aboveOf`).
 */
export async function findRepository(files: Files, cwd: string): Promise<FileResult<FoundRepository>> {
  // `.git/modules/x` is one by itself to git since 2.45, whatever `safe.bareRepository` says, and none to what follows here.
  if (cwd.split("/").includes(".git"))
    return fault("INVALID_ARGUMENTS", `${labelled(files.shown(cwd))} is within a repository's own folder`);
  const top = isWithin(cwd, files.workspace) ? files.workspace : "/";
  for (let at = cwd; isWithin(at, top) && at !== ""; at = aboveOf(at)) {
    const entry = await files.locate(`${at}/.git`);
    if (!entry.ok) return entry;
    const { path, kind } = entry.value;
    if (kind !== "file" && kind !== "directory") continue;
    if (at !== top && aboveOf(at).includes(":"))
      return fault(
        "INVALID_ARGUMENTS",
        `git can't be kept from looking above ${labelled(files.shown(path))}: ${COLON}`,
      );
    const gitDir = kind === "file" ? await ledTo(files, at, path) : ok(`${path}/`);
    return await readAll(files, at, gitDir.ok ? await withCommon(files, gitDir.value) : gitDir);
  }
  return ok({ repository: cwd, config: readRepositoryConfig(""), folders: [], operands: [] });
}

/** As `GIT_CEILING_DIRECTORIES` wants it: git goes up to below this folder. */
export const aboveOf = (folder: string): string => folder.slice(0, folder.lastIndexOf("/"));

const COLON = "a folder above it has a colon in its name";

/** All of the text but ends of lines behind it: git takes what stands in between for a part of the name. */
const LED_TO = /^gitdir: ([^\p{Cc}\uFFFD]+)[\r\n]*$/u;
const COMMON = /^([^\p{Cc}\uFFFD]+)[\r\n]*$/u;

/** Of a worktree and a submodule, `.git` is a file that says where the rest is (gitrepository-layout(5)). */
async function ledTo(files: Files, at: string, path: CheckedPath): Promise<FileResult<string>> {
  const own = await wholeText(files, path);
  if (!own.ok) return own;
  const folder = LED_TO.exec(own.value?.text ?? "")?.[1];
  if (folder === undefined) return nowhere(files, path);
  return ok(`${folder.startsWith("/") ? "" : `${at}/`}${folder}/`);
}

/** Any repository, and not only that of a worktree, may say that the rest of it is elsewhere. */
async function withCommon(files: Files, gitDir: string): Promise<FileResult<readonly string[]>> {
  const read = await wholeText(files, `${gitDir}commondir`);
  if (!read.ok) return read;
  if (read.value === null) return ok([gitDir]);
  const { text, operand } = read.value;
  const folder = COMMON.exec(text)?.[1];
  if (folder === undefined) return nowhere(files, operand.path);
  // As it stands there while a program is kept from saying otherwise.
  if (folder === ".") return ok([gitDir]);
  return ok([gitDir, `${folder.startsWith("/") ? "" : gitDir}${folder}/`]);
}

const nowhere = (files: Files, path: CheckedPath): FileResult<never> =>
  fault("INVALID_ARGUMENTS", `${labelled(files.shown(path))} leads to no repository`);

async function readAll(
  files: Files,
  repository: string,
  folders: FileResult<readonly string[]>,
): Promise<FileResult<FoundRepository>> {
  if (!folders.ok) return folders;
  const texts: string[] = [];
  const operands: Operand[] = [];
  for (const path of folders.value.flatMap((folder) => [`${folder}config`, `${folder}config.worktree`])) {
    const read = await wholeText(files, path);
    if (!read.ok) return read;
    if (read.value === null) continue;
    texts.push(read.value.text);
    operands.push(read.value.operand);
  }
  // With an empty line between: a file may end in the middle of a value that goes on in the next one.
  return ok({ repository, config: readRepositoryConfig(texts.join("\n\n")), folders: folders.value, operands });
}

/** Null: there is no such file. */
async function wholeText(
  files: Files,
  rawPath: string,
): Promise<FileResult<{ readonly text: string; readonly operand: Operand & { readonly path: CheckedPath } } | null>> {
  const located = await files.locate(rawPath);
  if (!located.ok) return located;
  const { path, kind } = located.value;
  if (kind !== "file") return ok(null);
  const read = await files.read(path, { offset: 0, limit: BYTES_MAX + 1 });
  if (!read.ok) return read;
  if (read.value.length > BYTES_MAX) {
    return fault("FILE_TOO_LARGE", `${labelled(files.shown(path))} is too large to be looked through`);
  }
  const digest = await files.digest(path);
  if (!digest.ok) return digest;
  const operand = { path, before: digest.value, after: digest.value };
  return ok({ text: Buffer.from(read.value).toString(), operand });
}
