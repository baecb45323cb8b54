import type { Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { errnoOf } from "./faults.ts";

export type OpenedChunks =
  | { readonly ok: true; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly why: string };

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be read",
  EISDIR: "is a directory",
  ENOTDIR: "lies below something that is no directory",
};

/** A file piece by piece, however long it is; also a pipe, unless it is read `again`: a pipe would be waited for for ever. */
export async function openChunks(path: string, read: "once" | "again" = "once"): Promise<OpenedChunks> {
  try {
    if (read === "again" && !isKept(await stat(path))) return { ok: false, why: "is no regular file" };
    const file = await open(path);
    if (!(await file.stat()).isDirectory()) return { ok: true, chunks: file.createReadStream() };
    await file.close();
    return { ok: false, why: "is a directory" };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return { ok: false, why: WHY[errno] ?? `can't be opened (${errno})` };
  }
}

/** Or a directory, of which more can be said. */
const isKept = (stats: Stats): boolean => stats.isFile() || stats.isDirectory();
