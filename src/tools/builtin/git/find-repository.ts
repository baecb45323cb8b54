import { Buffer } from "node:buffer";
import { isWithin } from "../../../domain/is-within.ts";
import type { Operand } from "../../../domain/plan.ts";
import { type CheckedPath, type FileResult, type Files, fault, ok } from "../../../ports/files.ts";
import { labelled } from "../file-plan.ts";
import { type RepositoryConfig, readRepositoryConfig } from "./repository-config.ts";

export interface FoundRepository {
  readonly repository: string;
  readonly config: RepositoryConfig;
  /** What was read of it: git must not find something else there. */
  readonly operands: readonly Operand[];
}

const BYTES_MAX = 1024 * 1024;

/** The repository whose configuration git would read: the nearest one, and never one above the workspace. */
export async function findRepository(files: Files, cwd: string): Promise<FileResult<FoundRepository>> {
  const top = isWithin(cwd, files.workspace) ? files.workspace : "/";
  for (let at = cwd; isWithin(at, top) && at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const entry = await files.locate(`${at}/.git`);
    if (!entry.ok) return entry;
    if (entry.value.kind === "file") return await readAll(files, at, await ledTo(files, at, entry.value.path));
    if (entry.value.kind === "directory") return await readAll(files, at, ok([`${entry.value.path}/`]));
  }
  return ok({ repository: cwd, config: readRepositoryConfig(""), operands: [] });
}

/** Of a worktree and a submodule, `.git` is a file that says where the rest is (gitrepository-layout(5)). */
async function ledTo(files: Files, at: string, path: CheckedPath): Promise<FileResult<readonly string[]>> {
  const own = await firstLine(files, path);
  if (!own.ok) return own;
  const folder = /^gitdir: (.+)$/.exec(own.value ?? "")?.[1];
  if (folder === undefined) return fault("INVALID_ARGUMENTS", `${labelled(files.shown(path))} leads to no repository`);
  const gitDir = `${folder.startsWith("/") ? "" : `${at}/`}${folder}/`;
  const common = await firstLine(files, `${gitDir}commondir`);
  if (!common.ok) return common;
  if (common.value === null) return ok([gitDir]);
  return ok([gitDir, `${common.value.startsWith("/") ? "" : gitDir}${common.value}/`]);
}

/** Null: there is no such file. */
async function firstLine(files: Files, path: string): Promise<FileResult<string | null>> {
  const read = await wholeText(files, path);
  return read.ok ? ok(read.value === null ? null : (read.value.text.split("\n")[0] ?? "")) : read;
}

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
  return ok({ repository, config: readRepositoryConfig(texts.join("\n")), operands });
}

async function wholeText(
  files: Files,
  rawPath: string,
): Promise<FileResult<{ readonly text: string; readonly operand: Operand } | null>> {
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
