import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Path } from "../mismatch.ts";

/** A JSON pointer (RFC 6901) into `root` as a path: whether `0` is an index or a name, only the value tells. */
export function pathFromPointer(pointer: string, root: JsonValue): Path {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let value = root;
  return steps.map((step) => {
    const isIndex = Array.isArray(value);
    value = (value as JsonObject)[step] as JsonValue;
    return isIndex ? Number(step) : step;
  });
}
