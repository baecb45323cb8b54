// Appends lines to a file, each in one write, until it has so many bytes.
// node appends-lines.ts <file> <line> <bytes>

import { fstatSync, openSync, writeSync } from "node:fs";

const [path = "", line = "", bytes = ""] = process.argv.slice(2);
const file = openSync(path, "a");
process.stdout.write("appending\n");
const append = () => {
  writeSync(file, `${line}\n`);
  if (fstatSync(file).size < Number(bytes)) setImmediate(append);
};
append();
