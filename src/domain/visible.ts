/**
 * Characters that act on a terminal or hide what stands next to them: controls (a single U+009B starts a terminal
 * command), marks that turn the direction of text (CVE-2021-42574), zero-width and invisible ones, tags, line separators,
 * lone surrogates, and marks on top of four others: no script needs so many, and a tower of them stands over the lines
 * around it. What a model or a tool says is shown, never obeyed.
 */
const ACTING =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[\p{Mn}\p{Me}](?<=[\p{Mn}\p{Me}]{5})/gu;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** One line, safe to show. */
export const visibleLine = (text: string): string => text.replace(ACTING, escaped);

/** Several lines, safe to show: line ends and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(ACTING, (character) => (character === "\n" || character === "\t" ? character : escaped(character)));

/** JSON that is safe on a terminal too: the same value, with the acting characters in their escaped form. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(ACTING, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );

const QUOTED_MAX = 80;

/** Foreign text inside a message: in backticks, on one line, not too long. `keep` says which end matters. */
export function quoted(text: string, { max = QUOTED_MAX, keep = "start" as "start" | "end" } = {}): string {
  const short = text.length <= max ? text : keep === "start" ? `${text.slice(0, max)}…` : `…${text.slice(-max)}`;
  return `\`${visibleLine(short).replaceAll("`", "\\u{60}")}\``;
}
