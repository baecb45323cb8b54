// Does one thing to files and prints `ok` or the code of the fault.
// node uses-files.ts <workspace> locate|read|list|write|delete <path>
// node uses-files.ts <workspace> write-and-delete <written path> <deleted path>

import { openFiles } from "../../src/files/open-files.ts";
import { type CheckedPath, type FileChange, type FileResult, ok } from "../../src/ports/files.ts";

const [workspace = "", action = "", ...rawPaths] = process.argv.slice(2);
const { locate, read, list, digest, change } = openFiles({ workspace });
const result = await use();
process.stdout.write(result.ok ? "ok" : result.fault.code);

async function use(): Promise<FileResult<unknown>> {
  const changes: FileChange[] = [];
  for (const [i, rawPath] of rawPaths.entries()) {
    const located = await locate(rawPath);
    if (!located.ok || action === "locate") return located;
    const { path } = located.value;
    if (action === "read") return await read(path, { offset: 0, limit: 100 });
    if (action === "list") return await list(path);
    const made = await changeOf(path, action === "delete" || i > 0 ? null : new Uint8Array(3));
    if (!made.ok) return made;
    changes.push(made.value);
  }
  return await change(changes);
}

async function changeOf(path: CheckedPath, content: Uint8Array | null): Promise<FileResult<FileChange>> {
  const before = await digest(path);
  return before.ok ? ok({ path, before: before.value, content }) : before;
}
