import type { Tool } from "../domain/call.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { ToolSource } from "../ports/tool-source.ts";

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

/** With tools that come and go. A name of the gate's own is never another's. */
export const catalogWith = (own: Catalog, source: ToolSource): Catalog => ({
  find: (name) => own.find(name) ?? source.find(name),
  names: function* () {
    for (const { definition } of this.all()) yield definition.name;
  },
  all: function* () {
    yield* own.all();
    yield* source.tools();
  },
  whyUnknown: (name) => source.whyUnknown(name),
});
