import { slotIn } from "./constant-values.ts";
import { type FormWord, type FoundForm, form } from "./form-of.ts";
import type { Shape } from "./word-shape.ts";

/** A host that its author has begun, and one that goes on behind the value: more than a port. */
const IN_HOST = /^[a-z][\w+.-]*:\/\/[^/?#]*$/i;
const BARE_HOST = /^[a-z\d][\w.-]*(?::\d*)?$/i;
const GOES_ON = /^(?!:\d*$)[^/?#]*[\w@]/;
const IN_QUERY = /^[^#]*[?&][^=&#]+=[^&#]*$/;
/** Not a path, nor behind a colon a port with or without one. */
const NO_PATH = /^(?![/?#])./s;
const NO_PORT = /^(?![/?#]|\d+(?:[/?#]|$))./s;
const ENCODE = "the tool's author can write `-G --data-urlencode name={{…}}`";
const NO_HOST = "the tool's author can put `/` before it";

/**
 * `https://a.example/?q={{x}}`: in an address around a slot its author has said which parameter a value is for, and of which
 * host. Where the whole host is a value, that is for rules.
 */
export function urlParts({ shape }: FormWord, isAddress = false): readonly FoundForm[] {
  let before = "";
  return shape.flatMap((part, at) => {
    if (typeof part === "string") {
      before += part;
      return [];
    }
    const slot = slotIn(part);
    const behind = shape.slice(at + 1);
    const values = new Set(slot === null ? [] : [slot]);
    const isInHost = IN_HOST.test(before) || (isAddress && BARE_HOST.test(before));
    const isBegun = isInHost && !before.endsWith("//");
    const goesOn = isInHost && GOES_ON.test(authority(behind));
    const isPort = before.endsWith(":");
    // What a value is, nobody knows; that it is there is enough for what follows.
    before += "x";
    if (slot === null) return [];
    if (goesOn || (isBegun && behind.some((one) => one !== ""))) return [form(values, /[/?#@\\]/, NO_HOST)];
    if (isBegun) return [form(values, isPort ? NO_PORT : NO_PATH, NO_HOST)];
    return IN_QUERY.test(before.slice(0, -1)) ? [form(values, /[&#]/, ENCODE)] : [];
  });
}

/** What its author has written behind a value, up to where the host ends. */
const authority = (behind: Shape): string =>
  behind
    .map((part) => (typeof part === "string" ? part : ""))
    .join("")
    .replace(/[/?#].*$/s, "");
