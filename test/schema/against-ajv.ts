import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { compileSchema } from "../../src/schema/compile-schema.ts";
import { someSchema, someValue } from "./arbitrary-schema.ts";

const VALUES_PER_SCHEMA = 40;

/** Ajv looks at own members only when asked to. */
const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true });

/** Random schemas of the subset, each with random values: the same verdict as Ajv's. */
export function expectAjvsVerdicts(schemas: number): void {
  const seen = { good: 0, bad: 0 };
  const some = fc.tuple(
    someSchema,
    fc.array(someValue, { minLength: VALUES_PER_SCHEMA, maxLength: VALUES_PER_SCHEMA }),
  );
  void fc.assert(
    fc.property(some, ([schema, values]) => {
      const compiled = compileSchema(schema);
      if ("unsupported" in compiled) throw new Error(`unsupported: ${compiled.unsupported}`);
      const validate = ajv.compile(schema);
      for (const value of values) {
        const isGood = validate(value);
        seen[isGood ? "good" : "bad"]++;
        if ((compiled.check(value as JsonObject).length === 0) !== isGood) {
          throw new Error(`ajv says ${isGood} of ${JSON.stringify(value)} under ${JSON.stringify(schema)}`);
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
