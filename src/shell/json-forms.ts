import { slotIn } from "./constant-values.ts";
import { type FoundForm, form, type Refused } from "./form-of.ts";
import type { Shape } from "./word-shape.ts";

const TOJSON = "the tool's author can write `{{…|tojson}}`, without quotes around it";
/** In a text of JSON: what ends it, or is read as something else than itself. */
const IN_TEXT = /["\\\p{Cc}]/u;
/** Outside of one, where a value has to be one of JSON's own, and not two, nor a name beside it. */
const NOT_ONE: Refused = {
  source: "not one value of JSON",
  test: (value) => {
    try {
      JSON.parse(value);
      return false;
    } catch {
      return true;
    }
  },
};

/** `{"a":"{{x}}"}`: around a slot its author has written JSON, and what that says is not the value's to change. */
export function jsonForms(shape: Shape): readonly FoundForm[] {
  const written = shape.filter((part) => typeof part === "string").join("");
  if (!/^\s*[{[]/.test(written) || (typeof shape[0] !== "string" && shape[0] !== undefined)) return [];
  let isText = false;
  return shape.flatMap((part) => {
    if (typeof part === "string") {
      for (const [sign] of part.matchAll(/\\.|"/gs)) if (sign === '"') isText = !isText;
      return [];
    }
    const slot = slotIn(part);
    return slot === null ? [] : [form(new Set([slot]), isText ? IN_TEXT : NOT_ONE, TOJSON)];
  });
}
