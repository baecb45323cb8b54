import type { DefinitionProblem } from "../tools/lint/definition-problem.ts";
import { lintDefinitions } from "../tools/lint/lint-definitions.ts";

export type { DefinitionProblem };

/** What is wrong, or doubtful, about definitions: those of a gate, or some that are not let in yet. */
export const checkTools = (definitions: readonly unknown[]): readonly DefinitionProblem[] =>
  lintDefinitions(definitions);
