import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { InputCoercion } from "../domain/tool.ts";
import { acceptedKinds, type Kind } from "./accepted-kinds.ts";
import { type Coerce, coerceItems, coerceMembers } from "./coerce-parts.ts";
import { coercedText } from "./coerced-text.ts";
import { schemaAt } from "./schema-ref.ts";

/**
 * Models write `"30"` where a schema wants 30. This makes it 30 before the check, and everything after sees only that.
 * A text is changed only where the schema certainly accepts none, so that coercion never turns one good value into another.
 */
export function coercionFromSchema(root: JsonObject): InputCoercion {
  const coerce = coercionsIn(root)(root);
  return coerce === null ? (input) => input : (input) => coerce(input) as JsonObject;
}

function coercionsIn(root: JsonObject): (schema: JsonValue) => Coerce | null {
  const kindsOf = acceptedKinds(root);
  const known = new Map<JsonValue, Coerce | null>();
  const coercionOf = (schema: JsonValue): Coerce | null => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    let coerce: Coerce | null = null;
    // For a reference that leads back here; where one does, there is something to do, and so it is not null.
    known.set(schema, (value) => (coerce as Coerce)(value));
    const places = samePlace(schema, root);
    coerce = coercionFrom(
      wantedOfText(kindsOf(schema)),
      coerceItems(places, coercionOf),
      coerceMembers(places, coercionOf),
    );
    known.set(schema, coerce);
    return coerce;
  };
  return coercionOf;
}

function coercionFrom(wanted: ReadonlySet<Kind> | null, items: Coerce | null, members: Coerce | null): Coerce | null {
  if (wanted === null && items === null && members === null) return null;
  return (value) => {
    if (typeof value === "string") return wanted === null ? value : coercedText(value, wanted);
    if (Array.isArray(value)) return items === null ? value : items(value);
    return isJsonObject(value) && members !== null ? members(value) : value;
  };
}

const COERCIBLE: readonly Kind[] = ["boolean", "integer", "fraction"];

/** What a text may be turned into; null where it is good as it is, or nothing can be made of it. */
const wantedOfText = (accepted: ReadonlySet<Kind>): ReadonlySet<Kind> | null =>
  !accepted.has("string") && COERCIBLE.some((kind) => accepted.has(kind)) ? accepted : null;

/**
 * The schema and those that hold for the same value together with it. Not the branches of a choice: which of them is
 * meant is not known. Each once, so that a part of the input is looked at once however often references meet in it.
 */
function samePlace(schema: JsonValue, root: JsonObject): readonly JsonObject[] {
  const places = new Set<JsonObject>();
  const add = (inner: JsonValue | undefined): void => {
    if (!isJsonObject(inner) || places.has(inner)) return;
    places.add(inner);
    const { $ref, allOf } = inner;
    if (typeof $ref === "string") add(schemaAt(root, $ref));
    if (Array.isArray(allOf)) for (const one of allOf as readonly JsonValue[]) add(one);
  };
  add(schema);
  return [...places];
}
