import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

/** A program of `test/programs` as JavaScript: what runs it in a sandbox is the machine's own Node, of whatever age. */
export const plainProgram = (name: string): string =>
  stripTypeScriptTypes(readFileSync(fileURLToPath(new URL(`../programs/${name}`, import.meta.url)), "utf8"));
