import type { JsonObject, JsonValue } from "../domain/json.ts";

/** INVARIANT (unchanged is free): gives back the very value where there is nothing to change, and a frozen copy elsewhere. */
export type Coerce = (value: JsonValue) => JsonValue;

type CoercionOf = (schema: JsonValue) => Coerce | null;

/** `prefixItems` and `items`, of the first schema that has any. */
export function coerceItems(places: readonly JsonObject[], coercionOf: CoercionOf): Coerce | null {
  const place = places.find((schema) => schema["items"] !== undefined || schema["prefixItems"] !== undefined);
  if (place === undefined) return null;
  const first = ((place["prefixItems"] ?? []) as readonly JsonValue[]).map(coercionOf);
  const rest = place["items"] === undefined ? null : coercionOf(place["items"]);
  if (rest === null && first.every((coerce) => coerce === null)) return null;
  return (value) => withItems(value as readonly JsonValue[], (index) => (index < first.length ? first[index] : rest));
}

function withItems(items: readonly JsonValue[], coercionAt: (index: number) => Coerce | null | undefined): JsonValue {
  let copy: JsonValue[] | null = null;
  for (let index = 0; index < items.length; index++) {
    const before = items[index] as JsonValue;
    const after = coercionAt(index)?.(before) ?? before;
    if (after === before) continue;
    copy ??= [...items];
    copy[index] = after;
  }
  return copy === null ? items : Object.freeze(copy);
}

/** `properties`, and `additionalProperties` for names that no schema of this place mentions. */
export function coerceMembers(places: readonly JsonObject[], coercionOf: CoercionOf): Coerce | null {
  const mentioned = new Map<string, Coerce | null>();
  for (const { properties } of places) {
    for (const [name, schema] of Object.entries((properties ?? {}) as JsonObject)) {
      if (!mentioned.has(name)) mentioned.set(name, coercionOf(schema));
    }
  }
  const named = [...mentioned].filter((entry): entry is [string, Coerce] => entry[1] !== null);
  const others = places.find(hasOthers)?.["additionalProperties"];
  const other = others === undefined ? null : coercionOf(others);
  if (named.length === 0 && other === null) return null;
  return (value) => withMembers(value as JsonObject, named, other === null ? null : { mentioned, coerce: other });
}

/** Where names are matched by patterns as well, this does not tell which schema a name belongs to. */
const hasOthers = (schema: JsonObject): boolean =>
  schema["additionalProperties"] !== undefined && schema["patternProperties"] === undefined;

interface Others {
  readonly mentioned: ReadonlyMap<string, unknown>;
  readonly coerce: Coerce;
}

function withMembers(
  value: JsonObject,
  named: readonly (readonly [string, Coerce])[],
  others: Others | null,
): JsonObject {
  let changed: Map<string, JsonValue> | null = null;
  const change = (name: string, coerce: Coerce): void => {
    const before = value[name] as JsonValue;
    const after = coerce(before);
    if (after !== before) changed = (changed ?? new Map<string, JsonValue>()).set(name, after);
  };
  for (const [name, coerce] of named) if (Object.hasOwn(value, name)) change(name, coerce);
  if (others !== null)
    for (const name of Object.keys(value)) if (!others.mentioned.has(name)) change(name, others.coerce);
  return changed === null ? value : copyWith(value, changed);
}

/** Through entries, so that a member called `__proto__` stays one. */
const copyWith = (value: JsonObject, changed: ReadonlyMap<string, JsonValue>): JsonObject =>
  Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed.get(name) ?? member])));
