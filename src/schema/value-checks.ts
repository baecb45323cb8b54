import type { JsonValue } from "../domain/json.ts";
import { quoted } from "../domain/visible.ts";
import { jsonSet } from "./json-set.ts";
import { type Check, mismatch, NONE } from "./mismatch.ts";
import { sameJson } from "./same-json.ts";
import type { SupportedSchema } from "./supported-schema.ts";

const NAMED_MAX = 20;

/** `enum` and `const`. */
export function valueChecks(schema: SupportedSchema): readonly Check[] {
  const checks: Check[] = [];
  const { enum: allowed, const: only } = schema;
  if (allowed !== undefined) checks.push(enumCheck(allowed));
  if (only !== undefined) checks.push(constCheck(only));
  return checks;
}

function enumCheck(allowed: readonly JsonValue[]): Check {
  const more = allowed.length > NAMED_MAX ? ", …" : "";
  const says = `must be one of ${allowed.slice(0, NAMED_MAX).map(named).join(", ")}${more}`;
  const isAllowed = jsonSet(allowed);
  return (value) => (isAllowed(value) ? NONE : mismatch("enum", says));
}

function constCheck(only: JsonValue): Check {
  const says = `must be ${named(only)}`;
  return (value) => (sameJson(only, value) ? NONE : mismatch("const", says));
}

const named = (value: JsonValue): string =>
  quoted(typeof value === "string" ? value : (JSON.stringify(value) as string));
