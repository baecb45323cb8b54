import * as fc from "fast-check";
import { expect } from "vitest";
import { checkFromSchema } from "../../src/schema/check-from-schema.ts";
import { fieldFromPath } from "../../src/schema/field-from-path.ts";
import { fullCheck } from "../../src/schema/full/full-check.ts";
import type { Check } from "../../src/schema/mismatch.ts";
import type { SupportedSchema } from "../../src/schema/supported-schema.ts";
import { HARD_NAMES, someSchema, someValue } from "./arbitrary-schema.ts";

const VALUES_PER_SCHEMA = 40;

/** Random schemas of the subset, each with random values: both engines find the same, and say it in the same words. */
export function expectBothEnginesAgree(schemas: number): void {
  const seen = { good: 0, bad: 0 };
  const some = fc.tuple(
    someSchema(HARD_NAMES),
    fc.array(someValue([...HARD_NAMES, "__proto__"]), { minLength: VALUES_PER_SCHEMA, maxLength: VALUES_PER_SCHEMA }),
  );
  void fc.assert(
    fc.property(some, ([schema, values]) => {
      const small = checkFromSchema(schema as SupportedSchema);
      const full = fullCheck(schema);
      for (const value of values) {
        const found = findings(small, value);
        seen[found.length === 0 ? "good" : "bad"]++;
        expect(findings(full, value), `${JSON.stringify(value)} under ${JSON.stringify(schema)}`).toEqual(found);
      }
    }),
    { numRuns: schemas },
  );
  expect(seen.good).toBeGreaterThan(schemas);
  expect(seen.bad).toBeGreaterThan(schemas);
}

const findings = (check: Check, value: Parameters<Check>[0]): readonly string[] =>
  check(value)
    .map(({ path, rule, says }) => `${fieldFromPath(path)} [${rule}] ${says}`)
    .sort();
