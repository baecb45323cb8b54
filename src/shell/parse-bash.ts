import { createRequire } from "node:module";
import type { ParsedScript } from "unbash";

const require = createRequire(import.meta.url);
let parse: ((source: string) => ParsedScript) | null = null;

/** The parser is loaded with the first script: most calls have none, and it is as large as all of the rules. */
export function parseBash(source: string): ParsedScript {
  parse ??= (require("unbash") as typeof import("unbash")).parse;
  return parse(source);
}
