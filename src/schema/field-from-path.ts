import type { Path } from "./mismatch.ts";
import { shown } from "./shown.ts";

/** `["edits", 3, "oldText"]` as `edits[3].oldText`; the root is the empty text. */
export function fieldFromPath(path: Path): string {
  let field = "";
  for (const step of path) {
    if (typeof step === "number") field += `[${step}]`;
    else field += field === "" ? shown(step) : `.${shown(step)}`;
  }
  return field;
}
