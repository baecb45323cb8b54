// Changes several files together, from one content to another and back, until it is killed.
// node changes-many-forever.ts <workspace> <bytes> <path>…

import { digestOfBytes } from "../../src/domain/digest.ts";
import { openFiles } from "../../src/files/open-files.ts";
import type { CheckedPath } from "../../src/ports/files.ts";

const [workspace = "", bytes = "0", ...rawPaths] = process.argv.slice(2);
const { locate, digest, change } = openFiles({ workspace });
const contents = ["a", "b"].map((letter) => Buffer.alloc(Number(bytes), letter));

const paths: CheckedPath[] = [];
for (const rawPath of rawPaths) {
  const located = await locate(rawPath);
  if (!located.ok) throw new Error(located.fault.message);
  paths.push(located.value.path);
}
process.stdout.write("changing\n");
for (let round = 0; ; round += 1) {
  const content = contents[round % 2] ?? new Uint8Array();
  const changes = [];
  for (const path of paths) {
    const before = await digest(path);
    if (!before.ok) throw new Error(before.fault.message);
    if (before.value !== digestOfBytes(content)) changes.push({ path, before: before.value, content });
  }
  const changed = await change(changes);
  if (!changed.ok) throw new Error(changed.fault.message);
}
