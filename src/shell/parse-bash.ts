import { createRequire } from "node:module";
import type { ParsedScript, SyntaxNode } from "unbash";

const require = createRequire(import.meta.url);
let unbash: typeof import("unbash") | null = null;

function parser(): typeof import("unbash") {
  unbash ??= require("unbash") as typeof import("unbash");
  return unbash;
}

/** The parser is loaded with the first script: most calls have none, and it is as large as all of the rules. */
export function parseBash(source: string): ParsedScript {
  return parser().parse(source);
}

export const forEachChild = (node: SyntaxNode, visit: (child: SyntaxNode) => void): void =>
  parser().forEachChild(node, visit);
