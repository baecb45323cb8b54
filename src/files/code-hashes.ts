import { createHash } from "node:crypto";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorCode } from "../domain/operator-code.ts";
import { errnoOf } from "./faults.ts";

/** A program with more than this is not read at each start; it is pinned by names, sizes and times then. */
const READ_BYTES_MAX = 64 * 1024 * 1024;
const FILES_MAX = 5000;
/** Installed packages, history and what Python compiles: closed to tools like the rest, and too much to read. */
const PASSED_OVER = new Set(["node_modules", ".git", "__pycache__"]);

/**
 * What a program is made of now: a SHA-256 for each of its files and folders, and `absent` for a file that is not there.
 * Of `package.json` only what decides which program a package runner starts.
 */
export async function codeHashes(code: OperatorCode): Promise<Readonly<Record<string, string>>> {
  const { files, folders, settings } = code;
  const hashes: Record<string, string> = Object.create(null);
  for (const path of files) hashes[path] = await hashOfFile(path);
  for (const path of folders) hashes[path] = await hashOfFolder(path);
  for (const path of settings)
    hashes[path] = await (path.endsWith("/package.json") ? hashOfPackage(path) : hashOfFile(path));
  return hashes;
}

const ABSENT = "absent";

const hashOfFile = (path: string): Promise<string> =>
  unlessAbsent(async () => ((await stat(path)).isFile() ? sha256(await readFile(path)) : "no file"));

/** `name` and `bin` come before what is installed under the name that `npx` is given. */
const hashOfPackage = (path: string): Promise<string> =>
  unlessAbsent(async () => {
    const text = await readFile(path, "utf8");
    try {
      const { name, bin } = JSON.parse(text);
      return sha256(JSON.stringify([name, bin]));
    } catch (error) {
      if (error instanceof SyntaxError) return sha256(text);
      throw error;
    }
  });

/** Of all names, kinds and contents below it. */
const hashOfFolder = (folder: string): Promise<string> =>
  unlessAbsent(async () => {
    if (!(await stat(folder)).isDirectory()) return hashOfFile(folder);
    const hash = createHash("sha256");
    const waiting = [""];
    let [room, left] = [READ_BYTES_MAX, FILES_MAX];
    for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
      const entries = await readdir(join(folder, inner), { withFileTypes: true });
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = join(inner, entry.name);
        const path = join(folder, name);
        if (PASSED_OVER.has(entry.name)) continue;
        if (entry.isDirectory()) waiting.push(name);
        else if (entry.isSymbolicLink()) hash.update(`link\0${name}\0${await readlink(path)}\0`);
        else if (entry.isFile()) {
          const { size, mtimeMs, ctimeMs } = await stat(path);
          const isRead = size <= room && left > 0;
          if (isRead) room -= size;
          left--;
          hash.update(`file\0${name}\0${isRead ? sha256(await readFile(path)) : `${size} ${mtimeMs} ${ctimeMs}`}\0`);
        }
      }
    }
    return hash.digest("hex");
  });

const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

async function unlessAbsent(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return ABSENT;
    throw error;
  }
}
