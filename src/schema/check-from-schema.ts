import { arrayChecks } from "./array-checks.ts";
import { type Check, joined, type Mismatch, mismatch, NONE } from "./mismatch.ts";
import { numberChecks } from "./number-checks.ts";
import { objectChecks } from "./object-checks.ts";
import { stringChecks } from "./string-checks.ts";
import type { SupportedSchema } from "./supported-schema.ts";
import { type TypeName, typeInWords, typesInWords, typeTest } from "./type-name.ts";
import { valueChecks } from "./value-checks.ts";

/** Closures, built once. */
export function checkFromSchema(schema: SupportedSchema): Check {
  const rest = allOf([
    ...valueChecks(schema),
    ...numberChecks(schema),
    ...stringChecks(schema),
    ...arrayChecks(schema, checkFromSchema),
    ...objectChecks(schema, checkFromSchema),
  ]);
  return schema.type === undefined ? rest : typed([schema.type].flat() as TypeName[], rest);
}

/** A value of the wrong type has one thing wrong with it: what else the schema asks for makes no sense of it. */
function typed(names: readonly TypeName[], rest: Check): Check {
  const isOfType = typeTest(names);
  const wanted = typesInWords(names);
  return (value) => {
    if (isOfType(value)) return rest(value);
    const given = Number.isFinite(value) && names.includes("integer") ? `${value}` : typeInWords(value);
    return mismatch("type", `must be ${wanted}, not ${given}`);
  };
}

function allOf(checks: readonly Check[]): Check {
  const [only] = checks;
  if (only === undefined) return () => NONE;
  if (checks.length === 1) return only;
  return (value) => {
    let found: readonly Mismatch[] = NONE;
    for (const check of checks) found = joined(found, check(value));
    return found;
  };
}
