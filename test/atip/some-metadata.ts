import type { Leaf } from "../../src/atip/leaf.ts";
import { readMetadata } from "../../src/atip/read-metadata.ts";
import type { JsonObject } from "../../src/domain/json.ts";

/** Good metadata with these members changed. */
export const metadata = (more: JsonObject = {}): JsonObject => ({
  atip: { version: "0.6" },
  name: "tool",
  version: "1.0",
  description: "Does something for a test",
  trust: { source: "community" },
  ...more,
});

export function leavesIn(more: JsonObject, separator?: string): readonly Leaf[] {
  const read = readMetadata(metadata(more), separator);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.leaves;
}

/** The one command of metadata that has this one under the key `""`. */
export function leafOf(command: JsonObject, more: JsonObject = {}): Leaf {
  const [leaf] = leavesIn({ ...more, commands: { "": { description: "It does it all", ...command } } });
  if (leaf === undefined) throw new Error("no command");
  return leaf;
}

/** `error commands.x has to be …` for each problem. */
export const problemsOf = (more: JsonObject): readonly string[] =>
  readMetadata(metadata(more)).problems.map(({ level, path, message }) => `${level} ${path.join(".")} ${message}`);
