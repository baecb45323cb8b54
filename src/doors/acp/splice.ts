const BLANK = /[ \t\r\n]*/y;
const PLAIN = /[^,\]}\s]+/y;
const INSIDE = /[^"[\]{}]*/y;

/**
 * A JSON text with another value for one member of its object, and else as it was: numbers, spaces and the order of names are
 * the sender's own. Takes what was read strictly, so that it is an object, and each name stands in it once.
 */
export function withMember(text: string, name: string, value: string): string {
  let at = after(BLANK, text, after(BLANK, text, 0) + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const isIt = JSON.parse(text.slice(at, keyEnd)) === name;
    const start = after(BLANK, text, after(BLANK, text, keyEnd) + 1);
    const end = valueEnd(text, start);
    if (isIt) return text.slice(0, start) + value + text.slice(end);
    at = after(BLANK, text, after(BLANK, text, end) + 1);
  }
  throw new TypeError(`the text has no member \`${name}\``);
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** By hand: a pattern that repeats a choice runs out of stack in a text of some megabytes. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] !== "{" && text[start] !== "[") return after(PLAIN, text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (character === "{" || character === "[") depth += 1;
    if (character === "}" || character === "]") depth -= 1;
    at += 1;
    if (depth === 0) return at;
    at = after(INSIDE, text, at);
  }
  return text.length;
}
