// Appends lines to a file, each in one write, and takes them away again when there are many, until its input ends.
// node appends-lines.ts <file> <line>

import { fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

const BYTES_MAX = 100_000;
const [path = "", line = ""] = process.argv.slice(2);
const file = openSync(path, "a");
const bytes = fstatSync(file).size;
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();
process.stdout.write("appending\n");
const append = () => {
  while (fstatSync(file).size < BYTES_MAX) writeSync(file, `${line}\n`);
  ftruncateSync(file, bytes);
  if (!isOver) setImmediate(append);
};
append();
