/** A line of a git configuration. The key is null of a heading: it counts without one, too. */
export interface ConfigEntry {
  readonly section: string;
  readonly name: string;
  readonly key: string | null;
  /** Null: the key stands there alone. */
  readonly value: string | null;
}

const HEADING = /\[([A-Za-z0-9.-]+)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const KEY = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\n)|$)/y;
const NOTHING = /(?:[ \t\r\n]|[#;][^\n]*)+/y;
const PLAIN = /[^\\"#; \t\r\n]+|[ \t\r]+/y;

/**
 * As git reads it (`config.c`), to the character: what goes on in the next line is no heading, and what is quoted is no comment.
 * Null: git would not read it either, or would end a value at a zero byte and go on behind it.
 */
export function configEntries(text: string): readonly ConfigEntry[] | null {
  if (text.includes("\0")) return null;
  const entries: ConfigEntry[] = [];
  const source = text.replaceAll("\r\n", "\n");
  let [section, name, at] = ["", "", 0];
  while (at < source.length) {
    const nothing = matchAt(NOTHING, source, at);
    const heading = nothing === null ? matchAt(HEADING, source, at) : null;
    const key = nothing === null && heading === null ? matchAt(KEY, source, at) : null;
    const [match] = nothing ?? heading ?? key ?? [];
    if (match === undefined) return null;
    at += match.length;
    if (heading !== null) {
      [section, name] = named(heading[1] ?? "", heading[2]);
      entries.push({ section, name, key: null, value: null });
    } else if (key !== null) {
      const read = key[2] === "=" ? valueAt(source, at) : { value: null, end: at };
      if (read === null) return null;
      entries.push({ section, name, key: key[1]?.toLowerCase() ?? "", value: read.value });
      at = read.end;
    }
  }
  return entries;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\", "\n": "" };

function valueAt(source: string, from: number): { readonly value: string; readonly end: number } | null {
  let [value, kept, isQuoted, at] = ["", 0, false, from];
  for (; at < source.length && source[at] !== "\n"; ) {
    const sign = source[at] ?? "";
    if (sign === '"') {
      isQuoted = !isQuoted;
      kept = value.length; // spaces before it count, though it says nothing itself
      at += 1;
    } else if (sign === "\\") {
      const meant = ESCAPES[source[at + 1] ?? "\n"];
      if (meant === undefined) return null;
      value += meant;
      kept = value.length;
      at += 2;
    } else if (!isQuoted && (sign === "#" || sign === ";")) {
      const end = source.indexOf("\n", at);
      at = end === -1 ? source.length : end;
    } else {
      const [plain = sign] = matchAt(PLAIN, source, at) ?? [];
      const isSpace = !isQuoted && /^[ \t\r]/.test(plain);
      if (!isSpace || value !== "") value += plain;
      if (!isSpace) kept = value.length;
      at += plain.length;
    }
  }
  return isQuoted ? null : { value: value.slice(0, kept), end: at };
}

function matchAt(form: RegExp, source: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(source);
}

/** `[remote "origin"]`, and as it was written once: `[remote.origin]`. */
function named(head: string, quoted: string | undefined): [section: string, name: string] {
  const [section = "", ...dotted] = head.toLowerCase().split(".");
  const last = quoted?.replaceAll(/\\(.)/gs, "$1");
  return [section, [...dotted, ...(last === undefined ? [] : [last])].join(".")];
}
