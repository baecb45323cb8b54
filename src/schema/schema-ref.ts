import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";

/** What a `$ref` names inside the schema `root`: `#`, or a JSON pointer (RFC 6901) as a fragment. Nothing else is followed. */
export function schemaAt(root: JsonObject, ref: string): JsonValue | undefined {
  const steps = stepsOf(ref);
  let found: JsonValue | undefined = steps === null ? undefined : root;
  for (const step of steps ?? []) found = memberOf(found, step);
  return found;
}

function stepsOf(ref: string): readonly string[] | null {
  if (ref === "#") return [];
  if (!ref.startsWith("#/")) return null;
  try {
    return ref.slice(2).split("/").map(decodeURIComponent).map(unescaped);
  } catch {
    return null; // a `%` that is no percent-encoding
  }
}

const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

function memberOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (!isJsonObject(value) && !Array.isArray(value)) return undefined;
  return Object.hasOwn(value, step) ? (value as JsonObject)[step] : undefined;
}
