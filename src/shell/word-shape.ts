/** A part of a word that bash fills in. */
export interface Hole {
  readonly raw: string;
  /** Of a plain variable, `$x` or `${x}`; null = anything else. */
  readonly name: string | null;
  /** It may become several words, or none. */
  readonly isMany: boolean;
}

/** A word as its author's own text, and what is filled in between. */
export type Shape = readonly (string | Hole)[];

const PLAIN_NAME = /^\$(?:(\w+)|\{(\w+)\})$/;
const WHOLE_LIST = /^\$(?:@|\{(?:@|\w+\[@\]).*\})$/s;
/** A number, whatever it was computed from. */
const COUNTED = /^\$(?:[#?$!]|\{#[^}]*\}|\(\(.*\)\)|\[.*\])$/s;

export const isCounted = (raw: string): boolean => COUNTED.test(raw);

/** Takes a word apart by hand: the parser's parts know nothing of what stands glued together. */
export function shapeOf(raw: string): Shape {
  const parts: (string | Hole)[] = [];
  const text = (more: string): void => {
    const last = parts.at(-1);
    if (typeof last === "string") parts[parts.length - 1] = last + more;
    else parts.push(more);
  };
  const hole = (filled: string, isQuoted: boolean): void => {
    const [, plain, braced] = PLAIN_NAME.exec(filled) ?? [];
    const isMany = !isCounted(filled) && (!isQuoted || WHOLE_LIST.test(filled));
    parts.push({ raw: filled, name: plain ?? braced ?? null, isMany });
  };
  let isQuoted = false;
  for (let at = 0; at < raw.length; ) {
    const character = raw[at] as string;
    if (character === "'" && !isQuoted) {
      const end = raw.indexOf("'", at + 1);
      text(raw.slice(at + 1, end === -1 ? raw.length : end));
      at = end === -1 ? raw.length : end + 1;
    } else if (character === '"') {
      isQuoted = !isQuoted;
      text("");
      at++;
    } else if (character === "\\") {
      text(
        raw[at + 1] === "\n" ? "" : (isQuoted && !/[$`"\\]/.test(raw[at + 1] ?? "") ? "\\" : "") + (raw[at + 1] ?? ""),
      );
      at += 2;
    } else if (opensHole(raw, at, isQuoted)) {
      const end = holeEnd(raw, at);
      hole(raw.slice(at, end), isQuoted);
      at = end;
    } else {
      text(character);
      at++;
    }
  }
  return parts;
}

const opensHole = (raw: string, at: number, isQuoted: boolean): boolean =>
  /^[$`]/.test(raw[at] as string)
    ? raw[at] === "`" || /^\$(?:[\w{([@*#?$!-]|'|")/.test(raw.slice(at, at + 2))
    : !isQuoted && (/[*?[{]/.test(raw[at] as string) || /^[<>]\(/.test(raw.slice(at, at + 2)) || raw[at] === "~");

const CLOSES: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };

function holeEnd(raw: string, at: number): number {
  const second = raw[at + 1] ?? "";
  if (raw[at] === "`" || second === "'" || second === '"') {
    const from = raw[at] === "`" ? at + 1 : at + 2;
    const end = raw.indexOf(raw[at] === "`" ? "`" : second, from);
    return end === -1 ? raw.length : end + 1;
  }
  const isSign = /[$<>]/.test(raw[at] as string);
  if (isSign && second in CLOSES) return balancedEnd(raw, at + 1);
  if (raw[at] === "{" || raw[at] === "[") return balancedEnd(raw, at);
  const [name = ""] = /^\$(?:[A-Za-z_]\w*|.)/s.exec(raw.slice(at)) ?? [];
  return at + Math.max(1, name.length);
}

/** Behind what closes the bracket that opens here; quotes hide brackets, and what is never closed goes on to the end. */
function balancedEnd(raw: string, at: number): number {
  const open = raw[at] as string;
  const close = CLOSES[open] as string;
  let depth = 0;
  for (let i = at; i < raw.length; i++) {
    if (raw[i] === "\\") i++;
    else if (raw[i] === "'" && open === "(") i = indexOrEnd(raw, "'", i + 1);
    else if (raw[i] === open) depth++;
    else if (raw[i] === close && --depth === 0) return i + 1;
  }
  return raw.length;
}

const indexOrEnd = (raw: string, text: string, from: number): number => {
  const at = raw.indexOf(text, from);
  return at === -1 ? raw.length : at;
};

/** The author's own text at the beginning of a word, and at its end. */
export const headOf = (shape: Shape): string => (typeof shape[0] === "string" ? shape[0] : "");

export function tailOf(shape: Shape): string {
  const last = shape.at(-1);
  return typeof last === "string" ? last : "";
}

export const textOf = (shape: Shape): string | null =>
  shape.every((part) => typeof part === "string") ? shape.join("") : null;

export const isManyIn = (shape: Shape): boolean => shape.some((part) => typeof part !== "string" && part.isMany);

export function joined(shape: Shape, part: string | Hole): Shape {
  const last = shape.at(-1);
  return typeof last === "string" && typeof part === "string" ? [...shape.slice(0, -1), last + part] : [...shape, part];
}
