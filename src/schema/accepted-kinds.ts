import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { schemaAt } from "./schema-ref.ts";
import type { TypeName } from "./type-name.ts";

/** A type of JSON Schema, with numbers in two kinds, so that each value is of one. */
export type Kind = Exclude<TypeName, "number"> | "fraction";

const ALL: readonly Kind[] = ["null", "boolean", "integer", "fraction", "string", "array", "object"];

const KINDS_OF = {
  null: ["null"],
  boolean: ["boolean"],
  number: ["integer", "fraction"],
  integer: ["integer"],
  string: ["string"],
  array: ["array"],
  object: ["object"],
} as const satisfies Record<TypeName, readonly Kind[]>;

/**
 * The kinds of which a value can be that is good under a schema inside `root`. Never too few: what is not among them is certainly bad. Keywords that only
 * narrow further (`not`, `if`) are left aside.
 */
export function acceptedKinds(root: JsonObject): (schema: JsonValue) => ReadonlySet<Kind> {
  const known = new Map<JsonObject, ReadonlySet<Kind>>();
  const kindsOf = (inner: JsonValue): ReadonlySet<Kind> => {
    if (!isJsonObject(inner)) return new Set(inner === false ? [] : ALL);
    const before = known.get(inner);
    if (before !== undefined) return before;
    known.set(inner, new Set(ALL)); // for a reference that leads back here
    const demanded = demands(inner, root, kindsOf);
    const kinds = new Set(ALL.filter((kind) => demanded.every((demand) => demand.has(kind))));
    known.set(inner, kinds);
    return kinds;
  };
  return kindsOf;
}

type KindsOf = (schema: JsonValue) => ReadonlySet<Kind>;

/** What each keyword of one schema accepts; a good value has to satisfy all of them. */
function demands(schema: JsonObject, root: JsonObject, kindsOf: KindsOf): readonly ReadonlySet<Kind>[] {
  const { type, enum: allowed, const: only, $ref, allOf, anyOf, oneOf } = schema;
  const found: ReadonlySet<Kind>[] = [];
  if (type !== undefined)
    found.push(new Set(([type].flat() as TypeName[]).flatMap((name): readonly Kind[] => KINDS_OF[name])));
  if (allowed !== undefined) found.push(new Set(listed(allowed).map(kindOf)));
  if (only !== undefined) found.push(new Set([kindOf(only)]));
  if (typeof $ref === "string") found.push(kindsOf(schemaAt(root, $ref) as JsonValue));
  if (allOf !== undefined) found.push(...listed(allOf).map(kindsOf));
  for (const choice of [anyOf, oneOf]) {
    if (choice !== undefined) found.push(new Set(listed(choice).flatMap((one) => [...kindsOf(one)])));
  }
  return found;
}

/** The cast is what the schema's inspection has found out. */
const listed = (given: JsonValue): readonly JsonValue[] => given as readonly JsonValue[];

function kindOf(value: JsonValue): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value as "boolean" | "string" | "object";
}
