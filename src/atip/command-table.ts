import type { JsonValue } from "../domain/json.ts";
import type { Leaf } from "./leaf.ts";
import type { AtipTool } from "./metadata.ts";
import { readMetadata } from "./read-metadata.ts";

/** A command and the tool that it is one of. */
export interface TableEntry {
  readonly tool: AtipTool;
  readonly leaf: Leaf;
}

export type BuiltTable =
  | { readonly ok: true; readonly table: ReadonlyMap<string, TableEntry> }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Every command by its flattened name, built once: a name is looked up, and never taken apart. */
export function commandTable(tools: readonly AtipTool[], separator: string): BuiltTable {
  const table = new Map<string, TableEntry>();
  const problems: string[] = [];
  for (const given of tools) {
    const read = readMetadata(given as unknown as JsonValue, separator);
    if (!read.ok) {
      problems.push(...read.problems.map(({ path, message }) => `\`${[given?.name, ...path].join(".")}\` ${message}`));
      continue;
    }
    for (const leaf of read.leaves) {
      if (table.has(leaf.name)) problems.push(`two commands are called \`${leaf.name}\``);
      table.set(leaf.name, { tool: read.tool, leaf });
    }
  }
  return problems.length === 0 ? { ok: true, table } : { ok: false, problems };
}
