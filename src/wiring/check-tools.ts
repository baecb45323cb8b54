import { inputSchema } from "../atip/parameter-schema.ts";
import { readMetadata } from "../atip/read-metadata.ts";
import { isJsonObject, type JsonValue } from "../domain/json.ts";
import { fieldFromPath } from "../schema/field-from-path.ts";
import type { DefinitionProblem } from "../tools/lint/definition-problem.ts";
import { lintDefinitions } from "../tools/lint/lint-definitions.ts";

export type { DefinitionProblem };

/** The tools that a description would make, and what is wrong or doubtful about it. */
export function checkDescription(value: JsonValue): {
  readonly definitions: readonly unknown[];
  readonly problems: readonly DefinitionProblem[];
} {
  const read = readMetadata(value);
  const problems = read.problems.map(({ level, path, message }) => ({
    ...{ tool: nameIn(value), level, field: fieldFromPath(path), rule: "atip" },
    message: path.length === 0 ? `the description ${message}` : message,
  }));
  if (!read.ok) return { definitions: [], problems };
  const definitions = read.leaves.map((leaf) => ({
    ...{ name: leaf.name, description: leaf.description, source: "atip", effects: leaf.effects },
    inputSchema: inputSchema(leaf),
  }));
  return { definitions, problems };
}

const nameIn = (value: JsonValue): string =>
  isJsonObject(value) && typeof value["name"] === "string" ? value["name"] : "(no name)";

/** What is wrong, or doubtful, about definitions: those of a gate, or some that are not let in yet. */
export const checkTools = (definitions: readonly unknown[]): readonly DefinitionProblem[] =>
  lintDefinitions(definitions);
