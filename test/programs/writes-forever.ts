// Replaces a file with one of two contents after the other, until it is killed.
// node writes-forever.ts <workspace> <path> <bytes>

import { digestOfBytes } from "../../src/domain/digest.ts";
import { openFiles } from "../../src/files/open-files.ts";

const [workspace = "", rawPath = "", bytes = "0"] = process.argv.slice(2);
const { locate, digest, change } = openFiles({ workspace });
const contents = ["a", "b"].map((letter) => Buffer.alloc(Number(bytes), letter));

const located = await locate(rawPath);
if (!located.ok) throw new Error(located.fault.message);
const { path } = located.value;
process.stdout.write("writing\n");
for (;;) {
  const before = await digest(path);
  if (!before.ok) throw new Error(before.fault.message);
  const next = contents.find((content) => digestOfBytes(content) !== before.value) ?? new Uint8Array();
  const written = await change([{ path, before: before.value, content: next }]);
  if (!written.ok) throw new Error(written.fault.message);
}
