/**
 * Characters that act on a terminal or hide what stands next to them. What a model or a tool says is shown, never obeyed.
 */
const ACTING_RANGES = [
  "\\u0000-\\u001f", // controls
  "\\u007f-\\u009f", // delete, and C1: a single U+009B starts a terminal command
  "\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb", // zero width, bidi marks and isolates
  "\\u2028-\\u202e", // line separators, bidi embeddings and overrides
  "\\u{e0000}-\\u{e007f}", // tags
  "\\p{Surrogate}",
];

const ACTING = new RegExp(`[${ACTING_RANGES.join("")}]`, "gu");

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** One line, safe to show. */
export const visibleLine = (text: string): string => text.replace(ACTING, escaped);

/** Several lines, safe to show: line ends and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(ACTING, (character) => (character === "\n" || character === "\t" ? character : escaped(character)));

/** JSON that is safe on a terminal too: the same value, with the acting characters in their escaped form. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(ACTING, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
      .join(""),
  );
