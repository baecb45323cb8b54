import { isUtf8 } from "node:buffer";

/** Of C's escapes, those that git writes. */
const ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ['"', 34],
  ["\\", 92],
]);

const QUOTED = /^"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"$/;
const ESCAPE = /\\([abtnvfr"\\]|[0-7]{3})/g;

/** A path as git writes it: `"a/caf\303\251"` is quoted, anything else is itself. Null = no path. */
export function patchPathFrom(text: string): string | null {
  if (!text.startsWith('"')) return text === "" ? null : text;
  const inner = QUOTED.exec(text)?.[1];
  if (inner === undefined) return null;
  const bytes: Buffer[] = [];
  let from = 0;
  for (const { 0: whole, 1: name = "", index } of inner.matchAll(ESCAPE)) {
    bytes.push(Buffer.from(inner.slice(from, index)), Buffer.of(ESCAPES.get(name) ?? Number.parseInt(name, 8)));
    from = index + whole.length;
  }
  const path = Buffer.concat([...bytes, Buffer.from(inner.slice(from))]);
  return isUtf8(path) ? path.toString() : null;
}

const NAMES = new Map([...ESCAPES].map(([name, code]) => [code, name]));

/** The way back. A tab would end the path, other control characters the line. */
export function quotedPatchPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (!/[\u0000-\u001f"\\\u007f]/.test(path)) return path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  const escaped = path.replaceAll(/[\u0000-\u001f"\\\u007f]/g, (character) => {
    const code = character.charCodeAt(0);
    return `\\${NAMES.get(code) ?? code.toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
