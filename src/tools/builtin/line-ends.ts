const LONE_LF = /(?<!\r)\n/;

/** Whether every line that ends, ends with CRLF. */
export const isCrlf = (text: string): boolean => text.includes("\r\n") && !LONE_LF.test(text);

export const lfFromCrlf = (text: string): string => text.replaceAll("\r\n", "\n");

/** The way back: `crlfFromLf(lfFromCrlf(text))` is `text` where `isCrlf(text)`. */
export const crlfFromLf = (text: string): string => text.replaceAll("\n", "\r\n");

/** The lines with their ends; only the last may have none. Nothing has no lines. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}
