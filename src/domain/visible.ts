/**
 * Characters that act on a terminal or hide what stands next to them: controls (a single U+009B starts a terminal
 * command), marks that turn the direction of text (CVE-2021-42574), zero-width and invisible ones, tags, line separators,
 * lone surrogates, blanks that look like a space or like nothing (U+00A0, U+2003, U+3000), and marks on top of four
 * others: no script needs so many, and a tower of them stands over the lines around it. Foreign text is shown, never
 * obeyed.
 */
const ACTING =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|[\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]|[\p{Mn}\p{Me}](?<=[\p{Mn}\p{Me}]{5})/gu;

/** Spaces of running text: French and Japanese are full of them. */
const PROSE_SPACES: ReadonlySet<string> = new Set(["\n", "\t", "\u00a0", "\u202f", "\u3000"]);

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** One line, safe to show. */
export const visibleLine = (text: string): string => text.replace(ACTING, escaped);

/** Running text of several lines, safe to show: line ends, tabs and the spaces of prose stay. */
export const visibleText = (text: string): string =>
  text.replace(ACTING, (character) => (PROSE_SPACES.has(character) ? character : escaped(character)));

/** A name or path on one line, with spaces written out that a reader could not see or count: runs, and those at an end. */
export const visibleName = (text: string): string =>
  visibleLine(text).replace(/^ +| +$| {2,}/g, (spaces) => "\\u{20}".repeat(spaces.length));

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
  return inBackticks(visibleLine(short));
}

/** A name or path inside a message, whole. */
export const quotedName = (text: string): string => inBackticks(visibleName(text));

const inBackticks = (text: string): string => `\`${text.replaceAll("`", "\\u{60}")}\``;
