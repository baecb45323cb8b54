import { LIMITS } from "../domain/limits.ts";
import { type SchemaProblem, tooComplex } from "./schema-problem.ts";

/**
 * Whether a schema is small enough to be looked at closely: everything after this may recurse into it, and a schema that
 * holds itself ends here too.
 */
export function sizeProblem(schema: unknown): SchemaProblem | null {
  const depthMax = LIMITS.schemaDepth.default;
  const valuesMax = LIMITS.schemaValues.default;
  let values = 0;
  const problemIn = (value: unknown, depth: number): SchemaProblem | null => {
    if (++values > valuesMax) return tooComplex(`it has more than ${valuesMax} values`);
    if (typeof value !== "object" || value === null) return null;
    if (depth === depthMax) return tooComplex(`it is nested more than ${depthMax} deep`);
    for (const inner of Object.values(value)) {
      const problem = problemIn(inner, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return problemIn(schema, 0);
}
