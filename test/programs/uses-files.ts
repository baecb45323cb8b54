// Does one thing to one file and prints `ok` or the code of the fault.
// node uses-files.ts <workspace> locate|read|write <path>

import { openFiles } from "../../src/files/open-files.ts";
import type { FileResult, Files, Located } from "../../src/ports/files.ts";

const [workspace = "", action = "", rawPath = ""] = process.argv.slice(2);
const files = openFiles({ workspace });
const located = await files.locate(rawPath);
const result = located.ok ? await use(files, located.value) : located;
process.stdout.write(result.ok ? "ok" : result.fault.code);

async function use({ read, write, digest }: Files, { path }: Located): Promise<FileResult<unknown>> {
  if (action === "locate") return { ok: true, value: null };
  if (action === "read") return await read(path, { offset: 0, limit: 100 });
  const before = await digest(path);
  return before.ok ? await write(path, new Uint8Array(3), before.value) : before;
}
