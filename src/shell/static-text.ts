/** By character: nothing about it needs the shell. */
const PLAIN = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./!#^]}-")
  PLAIN[character.charCodeAt(0)] = 1;

/** The word is its own text. A loop and no regular expression: this is asked of each word of each command. */
export function isPlain(raw: string): boolean {
  for (let at = 0; at < raw.length; at++) if (PLAIN[raw.charCodeAt(at)] !== 1) return false;
  return raw !== "";
}

/**
 * The text of a word that needs no more than its quotes taken off; null = something in it is expanded, or may be.
 * Written by hand beside the parser's own decoding, because most words are read here and nothing else looks at them.
 */
export function staticText(raw: string): string | null {
  return isPlain(raw) ? raw : unquoted(raw);
}

function unquoted(raw: string): string | null {
  let text = "";
  let from = 0;
  let at = 0;
  while (at < raw.length) {
    const end = partEnd(raw, at);
    if (end === -1) return null;
    if (end === 0) {
      at++;
      continue;
    }
    const decoded = decodedPart(raw, at, end);
    if (decoded === null) return null;
    text += raw.slice(from, at) + decoded;
    at = end;
    from = end;
  }
  return from === 0 ? raw : text + raw.slice(from);
}

/** Where the quoted part that begins here ends; 0 = none begins here; -1 = this is no static text. */
function partEnd(raw: string, at: number): number {
  switch (raw[at]) {
    case "'":
      return raw.indexOf("'", at + 1) + 1 || -1;
    case '"':
      return doubleQuotedEnd(raw, at);
    case "\\":
      return at + 1 < raw.length ? at + 2 : -1;
    case "~":
      // Also behind the `=` of what looks like an assignment, wherever it stands.
      return at === 0 || raw[at - 1] === "=" || raw[at - 1] === ":" ? -1 : 0;
    case "[":
      return raw.includes("]", at) ? -1 : 0;
    case "{":
      return mayBeBraces(raw) ? -1 : 0;
    case "$":
    case "`":
    case "*":
    case "?":
    case "(":
    case ")":
    case "<":
    case ">":
    case "|":
    case "&":
    case ";":
    case " ":
    case "\t":
    case "\n":
    case "\0":
      return -1;
    default:
      return 0;
  }
}

const mayBeBraces = (raw: string): boolean => raw.includes("}") && (raw.includes(",") || raw.includes(".."));

function doubleQuotedEnd(raw: string, at: number): number {
  for (let i = at + 1; i < raw.length; i++) {
    switch (raw[i]) {
      case '"':
        return i + 1;
      case "\\":
        i++;
        break;
      case "$":
      case "`":
      case "\0":
        return -1;
      default:
    }
  }
  return -1;
}

function decodedPart(raw: string, at: number, end: number): string | null {
  switch (raw[at]) {
    case "'":
      return raw.slice(at + 1, end - 1);
    case '"':
      return unescaped(raw.slice(at + 1, end - 1));
    default:
      return raw[at + 1] === "\n" ? "" : escapedCharacter(raw, at + 1);
  }
}

const unescaped = (text: string): string =>
  text.includes("\\")
    ? text.replace(/\\([$`"\\\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped))
    : text;

/** A backslash before half of a character is before all of it; what can't be one is no text. */
function escapedCharacter(raw: string, at: number): string | null {
  const unit = raw.charCodeAt(at);
  return unit === 0 ? null : (raw[at] ?? null);
}
