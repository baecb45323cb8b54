import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import type { Path } from "../mismatch.ts";

/** Where in a value a member is called like one that every object inherits (`toString`, `__proto__`); null = nowhere. */
export function inheritedName(value: JsonValue): Path | null {
  if (typeof value !== "object" || value === null) return null;
  const isObject = isJsonObject(value);
  for (const [name, member] of Object.entries(value)) {
    const step = isObject ? name : Number(name);
    if (isObject && name in Object.prototype) return [name];
    const inside = inheritedName(member);
    if (inside !== null) return [step, ...inside];
  }
  return null;
}
