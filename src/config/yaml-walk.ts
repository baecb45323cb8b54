import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { quoted } from "../domain/visible.ts";

export interface YamlFinding {
  readonly offset: number;
  readonly message: string;
}

/** What is valid YAML and still has no place in a config. */
export function walkProblems(root: unknown): readonly YamlFinding[] {
  const found: YamlFinding[] = [];
  visit(root, found);
  return found;
}

function visit(node: unknown, found: YamlFinding[]): void {
  if (isAlias(node))
    found.push({ offset: startOf(node), message: `the alias ${quoted(`*${node.source}`)} is not supported` });
  else if (isScalar(node)) visitText(node, found);
  else if (isSeq(node)) for (const item of node.items) visit(item, found);
  else if (isMap(node)) visitMap(node, found);
}

function visitMap({ items }: YAMLMap, found: YamlFinding[]): void {
  const seen = new Set<unknown>();
  for (const { key, value } of items) {
    // A key that is no scalar is a syntax problem already, and must not be put into words: nested ones explode.
    const name = isScalar(key) ? key.value : key;
    if (seen.has(name)) found.push({ offset: startOf(key), message: `the key ${quoted(String(name))} is given twice` });
    seen.add(name);
    visit(key, found);
    visit(value, found);
  }
}

/** Such a text has no digest, or is cut short by the operating system. */
function visitText(node: { readonly value: unknown }, found: YamlFinding[]): void {
  const { value } = node;
  if (typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"))) return;
  found.push({ offset: startOf(node), message: "the text holds a NUL or half a character" });
}

export const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;
