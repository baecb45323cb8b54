import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { compileSchema } from "../../src/schema/compile-schema.ts";
import { EASY_NAMES, PLAIN_NAMES, someFullSchema, someSchema, someValue } from "./arbitrary-schema.ts";

const VALUES_PER_SCHEMA = 40;

/**
 * Ajv as it comes, which looks at own members only when asked to, and without a precision takes no large number for a
 * multiple of anything.
 */
const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true, multipleOfPrecision: 9 });

/** Random schemas, each with random values: the same verdict as Ajv's. */
export function expectAjvsVerdicts(kind: "small" | "full", schemas: number): void {
  const seen = { good: 0, bad: 0 };
  // Ajv reads over a `__proto__` that a schema names, so only values have one.
  const small = fc.tuple(someSchema(EASY_NAMES), someValues([...EASY_NAMES, "__proto__"]));
  // Inside `not` and `if` it never misses an empty name, so only values have one here; ours does: see `full-check.test.ts`.
  const named = PLAIN_NAMES.filter((name) => name !== "");
  const full = fc.tuple(someFullSchema(named), someValues(PLAIN_NAMES));
  void fc.assert(
    fc.property(kind === "small" ? small : full, ([schema, values]) => {
      const compiled = compileSchema(schema);
      if ("problem" in compiled) throw new Error(compiled.problem.message);
      const validate = ajv.compile(schema);
      for (const value of values) {
        const isGood = verdictOf(validate, value);
        if (isGood === null) continue;
        seen[isGood ? "good" : "bad"]++;
        const errors = compiled.check(value as JsonObject);
        if ((errors.length === 0) !== isGood || errors.some(({ rule }) => rule === "fault")) {
          const said = JSON.stringify(errors);
          throw new Error(`ajv says ${isGood} of ${JSON.stringify(value)} under ${JSON.stringify(schema)}, we ${said}`);
        }
      }
      ajv.removeSchema(schema);
    }),
    { numRuns: schemas },
  );
  // A generator that makes only bad values would prove nothing.
  expect(seen.good).toBeGreaterThan(schemas);
  expect(seen.bad).toBeGreaterThan(schemas);
}

const someValues = (names: readonly string[]) =>
  fc.array(someValue(names), { minLength: VALUES_PER_SCHEMA, maxLength: VALUES_PER_SCHEMA });

/** Null where Ajv's own code for `unevaluated…` errs. */
function verdictOf(validate: (value: JsonValue) => boolean, value: JsonValue): boolean | null {
  try {
    return validate(value);
  } catch {
    return null;
  }
}
