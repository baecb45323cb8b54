import { isJsonObject } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import type { Definition } from "./definition.ts";
import { type DefinitionProblem, error, type Finding } from "./definition-problem.ts";
import { lintClaims } from "./lint-claims.ts";
import { lintSchema } from "./lint-schema.ts";
import { lintDescription, lintName } from "./lint-texts.ts";
import { lookAlikes } from "./look-alikes.ts";

/** Everything that is wrong, or doubtful, about a set of definitions. */
export function lintDefinitions(definitions: readonly unknown[]): readonly DefinitionProblem[] {
  return [
    ...definitions.flatMap((each, n) => lintOne(each).map((found) => ({ tool: nameOf(each, n), ...found }))),
    ...lintNames(definitions.map(nameOf)),
  ];
}

function lintOne(definition: unknown): readonly Finding[] {
  if (!isJsonObject(definition)) return [error("", "type", "a definition has to be an object")];
  const given: Definition = definition;
  return [
    ...lintName(given.name),
    ...lintDescription(given.description),
    ...lintSchema(given.inputSchema),
    ...lintClaims(given),
  ];
}

function lintNames(names: readonly string[]): readonly DefinitionProblem[] {
  return lookAlikes(names).flatMap((group) =>
    group.slice(1).map((tool, n) => {
      const other = group.slice(0, n + 1).find((name) => name === tool) ?? group[0] ?? "";
      const isSame = other === tool;
      return {
        tool,
        level: isSame ? "error" : "warning",
        field: "name",
        rule: isSame ? "collision" : "look_alike",
        message: isSame ? "another tool has the same name" : `it looks like ${quoted(other)}, and is another tool`,
      };
    }),
  );
}

/** One that has none is known by its place. */
const nameOf = (definition: unknown, n: number): string =>
  isJsonObject(definition) && typeof definition["name"] === "string" && definition["name"] !== ""
    ? definition["name"]
    : `#${n + 1}`;
