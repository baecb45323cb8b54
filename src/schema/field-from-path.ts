import { visibleLine } from "../domain/visible.ts";
import type { Path } from "./mismatch.ts";

/** `["edits", 3, "oldText"]` as `edits[3].oldText`; the root is the empty text. */
export function fieldFromPath(path: Path): string {
  let field = "";
  for (const step of path) {
    if (typeof step === "number") field += `[${step}]`;
    else field += field === "" ? named(step) : `.${named(step)}`;
  }
  return field;
}

const NAME_MAX = 80;

/** Names come from the caller: cut and made visible like any foreign text. */
const named = (step: string): string => visibleLine(step.length > NAME_MAX ? `${step.slice(0, NAME_MAX)}…` : step);
