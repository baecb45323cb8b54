import type { Tool } from "../domain/call.ts";
import type { Catalog } from "../ports/catalog.ts";

/** One name, one tool: a second tool of the same name is a mistake and not an override. */
export function catalogOf(tools: Iterable<Tool>): Catalog {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { name } = tool.definition;
    if (byName.has(name)) throw new TypeError(`two tools are called \`${name}\``);
    byName.set(name, tool);
  }
  return { find: (name) => byName.get(name), names: () => byName.keys(), all: () => byName.values() };
}
