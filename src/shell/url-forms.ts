import { slotIn } from "./constant-values.ts";
import { type FormWord, type FoundForm, form } from "./form-of.ts";

/** A host that its author has begun, and one that goes on behind the value. */
const IN_HOST = /^[a-z][\w+.-]*:\/\/[^/?#]*$/i;
const IN_QUERY = /^[^#]*[?&][^=&#]+=[^&#]*$/;
/** Not a path, nor a port with or without one. */
const NO_PATH = /^(?![/?#]|\d+(?:[/?#]|$))./s;
const ENCODE = "the tool's author can write `-G --data-urlencode name={{…}}`";
const NO_HOST = "the tool's author can put `/` before it";

/**
 * `https://a.example/?q={{x}}`: in an address around a slot its author has said which parameter a value is for, and of which
 * host. Where the whole host is a value, that is for rules.
 */
export function urlParts({ shape }: FormWord): readonly FoundForm[] {
  let before = "";
  return shape.flatMap((part, at) => {
    if (typeof part === "string") {
      before += part;
      return [];
    }
    const slot = slotIn(part);
    const behind = shape[at + 1];
    const values = new Set(slot === null ? [] : [slot]);
    const isBegun = IN_HOST.test(before) && !before.endsWith("//");
    const goesOn = IN_HOST.test(before) && typeof behind === "string" && /^[\w.-]*\w/.test(behind);
    // What a value is, nobody knows; that it is there is enough for what follows.
    before += "x";
    if (slot === null) return [];
    if (goesOn || (isBegun && behind !== undefined && behind !== "")) return [form(values, /[/?#@\\]/, NO_HOST)];
    if (isBegun) return [form(values, NO_PATH, NO_HOST)];
    return IN_QUERY.test(before.slice(0, -1)) ? [form(values, /[&#]/, ENCODE)] : [];
  });
}
