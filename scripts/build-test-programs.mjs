// Bundles the programs of `test/programs` into a folder: one file each and what they share. Loading the sources one by one,
// with types to strip, takes three times as long as most of them run.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const [, , dir] = process.argv;
if (dir === undefined) throw new Error("give the folder to write them to");

const PROGRAMS = "test/programs";
const programs = readdirSync(PROGRAMS).filter((name) => name.endsWith(".ts"));

await build({
  // The worker is looked for beside the code that starts it.
  input: [...programs.map((name) => join(PROGRAMS, name)), "src/store/sqlite/verify-worker.ts"],
  platform: "node",
  external: (id) => !/^[./]/.test(id),
  output: { dir },
  logLevel: "silent",
});
