import { isJsonObject, type JsonValue } from "../domain/json.ts";
import { nearest } from "../domain/nearest.ts";
import { quoted } from "../domain/visible.ts";
import { below, type Check, joined, MISMATCHES_MAX, type Mismatch, mismatch, NONE } from "./mismatch.ts";
import type { SupportedSchema } from "./supported-schema.ts";

const IS_MISSING: readonly Mismatch[] = mismatch("required", "is missing");

/** `required`, `properties` and `additionalProperties`. Only own members count: `constructor` is a name like any other. */
export function objectChecks(schema: SupportedSchema, compile: (schema: SupportedSchema) => Check): readonly Check[] {
  const checks: Check[] = [];
  if (schema.required !== undefined) checks.push(requiredCheck([...new Set(schema.required)]));
  const known = new Map(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, compile(inner)]));
  if (known.size > 0 || schema.additionalProperties === false) {
    checks.push(membersCheck(known, schema.additionalProperties === false ? unknownField(known) : accepted));
  }
  return checks;
}

function requiredCheck(required: readonly string[]): Check {
  return (value) => {
    let found: readonly Mismatch[] = NONE;
    if (!isJsonObject(value)) return found;
    for (const name of required) {
      if (!Object.hasOwn(value, name)) found = joined(found, below(name, IS_MISSING));
    }
    return found;
  };
}

function membersCheck(known: ReadonlyMap<string, Check>, other: (name: string) => readonly Mismatch[]): Check {
  return (value) => {
    let found: readonly Mismatch[] = NONE;
    if (!isJsonObject(value)) return found;
    // `for in` and not `Object.keys`, which would allocate; what it finds on a prototype is none of the input's.
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      const check = known.get(name);
      const inMember = check === undefined ? other(name) : check(value[name] as JsonValue);
      if (inMember === NONE) continue;
      found = joined(found, below(name, inMember));
      if (found.length >= MISMATCHES_MAX) break;
    }
    return found;
  };
}

const accepted = (): readonly Mismatch[] => NONE;

function unknownField(known: ReadonlyMap<string, Check>): (name: string) => readonly Mismatch[] {
  return (name) => {
    const [meant] = nearest(name, known.keys(), 1);
    const suggestion = meant === undefined ? "" : `, the nearest is ${quoted(meant)}`;
    return mismatch("unknown_field", `is not a known field${suggestion}`);
  };
}
