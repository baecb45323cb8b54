import { commandTable, type TableEntry } from "../../atip/command-table.ts";
import type { AtipTool } from "../../atip/metadata.ts";
import { EVERY_MODEL, ToolNames } from "../../formats/tool-names.ts";
import { AtipExecuteError, UnknownCommandError } from "./errors.ts";
import type { CommandMapping } from "./types.ts";

export interface MappingOptions {
  /** Between the words of a flattened name; `_`. */
  readonly separator?: string;
}

/** All commands of some tools, by the names that they have and by those that providers are shown. */
export class CommandMap {
  readonly #table: ReadonlyMap<string, TableEntry>;
  readonly #names: ToolNames;
  readonly #known = new Map<string, CommandMapping>();

  constructor(tools: readonly AtipTool[], separator: string) {
    const built = commandTable(tools, separator);
    if (!built.ok) throw new AtipExecuteError("INVALID_METADATA", built.problems.join("; "));
    this.#table = built.table;
    this.#names = new ToolNames(this.#table.keys(), EVERY_MODEL);
  }

  find(name: string): CommandMapping | null {
    const own = this.#table.has(name) ? name : this.#names.own(name);
    if (own === undefined) return null;
    const known = this.#known.get(own) ?? mappingOf(this.#table.get(own) as TableEntry);
    this.#known.set(own, known);
    return known;
  }

  entries(): Iterable<TableEntry> {
    return this.#table.values();
  }
}

function mappingOf({ tool, leaf }: TableEntry): CommandMapping {
  const { description, options, arguments: given } = leaf;
  return {
    name: leaf.name,
    tool,
    toolName: tool.name,
    commandPath: leaf.path,
    baseCommand: [tool.name, ...leaf.path],
    command: { description, arguments: given, options: [...options, ...leaf.globals] },
    effects: leaf.effects,
    leaf,
  };
}

/** Tables are built once for a list of tools, which must not be changed afterwards. */
const maps = new WeakMap<readonly AtipTool[], Map<string, CommandMap>>();

export function commandMap(tools: readonly AtipTool[], { separator = "_" }: MappingOptions = {}): CommandMap {
  const bySeparator = maps.get(tools) ?? new Map<string, CommandMap>();
  maps.set(tools, bySeparator);
  const map = bySeparator.get(separator) ?? new CommandMap(tools, separator);
  bySeparator.set(separator, map);
  return map;
}

/** The command that a flattened name means. By a table: names with the separator inside work, at the same cost for all. */
export function mapToCommand(name: string, tools: readonly AtipTool[], options: MappingOptions = {}): CommandMapping {
  const mapping = commandMap(tools, options).find(name);
  if (mapping === null) throw new UnknownCommandError(name);
  return mapping;
}

/** The same for a call. */
export const mapCommand = (
  call: { readonly name: string },
  tools: readonly AtipTool[],
  options: MappingOptions = {},
): CommandMapping => mapToCommand(call.name, tools, options);

/** The metadata that a flattened name comes from; null = it means nothing. */
export const getMetadata = (name: string, tools: readonly AtipTool[], options: MappingOptions = {}): AtipTool | null =>
  commandMap(tools, options).find(name)?.tool ?? tools.find((tool) => tool.name === name) ?? null;
