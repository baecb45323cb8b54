import { Buffer } from "node:buffer";

type Quoting = readonly [characters: RegExp, quoted: (character: string) => string];

const backslashed = (character: string): string => `\\${character}`;

/** How shells and languages write a text down where its own characters mean something to them. Without the quotes around it. */
const IN_CODE: readonly Quoting[] = [
  [/[$`"\\]/g, backslashed], // bash: `export -p`, `declare -p`
  [/[\s!"$&'()*,;<>?[\\\]^`{|}]/g, backslashed], // bash: `printf %q`
  [/'/g, () => "'\\''"], // bash: `set`, `set -x`; jq: `@sh`
  [/'/g, () => "'\"'\"'"], // Python's `shlex`
  [/['\\]/g, backslashed], // Python's `repr`, Node's `inspect`, Perl
  [/"/g, () => '""'], // CSV
  [/'/g, () => "''"], // YAML, SQL
  [/\$/g, () => "$$"], // Docker Compose, Make
  [/[\s#$&()*+.?[\\\]^{|}~-]/g, backslashed], // Python: `re.escape`
];

const inLiteral = (character: string): string => JSON.stringify(character).slice(1, -1);

/** Literals, by which quotes are escaped in them; Node's `inspect` takes those that need the least. */
const LITERALS: readonly Quoting[] = [
  [/[\\\p{Cc}]/gu, inLiteral], // between backticks
  [/["\\\p{Cc}]/gu, inLiteral],
  [/['\\\p{Cc}]/gu, (character) => (character === "'" ? "\\'" : inLiteral(character))], // also bash: `$'…'`
];

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

const bytesOf = (character: string, written: (byte: number) => string): string =>
  Array.from(Buffer.from(character), written).join("");

/** What becomes of characters beyond ASCII where they are not printed as they are. */
const IN_ASCII: readonly ((character: string) => string)[] = [
  // git of paths, strace, and bash where the locale is `C`
  (character) => bytesOf(character, (byte) => `\\${byte.toString(8).padStart(3, "0")}`),
  // Python's `bytes`
  (character) => bytesOf(character, (byte) => `\\x${hex(byte, 2)}`),
  pythonEscaped,
];

/** Python: `ascii`. */
function pythonEscaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\U${hex(code, 8)}`;
  return code > 0xff ? `\\u${hex(code, 4)}` : `\\x${hex(code, 2)}`;
}

function literals(value: string): readonly string[] {
  const written = LITERALS.map(([characters, quoted]) => value.replace(characters, quoted));
  return [...written, ...IN_ASCII.flatMap((ascii) => written.map((text) => text.replace(/[^\p{ASCII}]/gu, ascii)))];
}

/** dash quotes quotes in a row together, and puts no empty text before the first ones or behind the last. */
const inDash = (value: string): string =>
  value.replace(/'+/g, (quotes) => `'"${quotes}"'`).replace(/^'(?=")|(?<=")'$/g, "");

const TAGS = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** What becomes of quotes beside `&`, `<` and `>`: in a text, an attribute, and as this and that library has it. */
const IN_MARKUP: readonly Readonly<Record<string, string>>[] = [
  TAGS,
  { ...TAGS, '"': "&quot;" },
  { ...TAGS, '"': "&quot;", "'": "&#39;" },
  { ...TAGS, '"': "&quot;", "'": "&#x27;" }, // Python
  { ...TAGS, '"': "&quot;", "'": "&#039;" }, // PHP
  { ...TAGS, '"': "&quot;", "'": "&apos;" }, // XML
  { ...TAGS, '"': "&#34;", "'": "&#39;" }, // Go, Jinja
];

/** The value in all of them; most values have no such character, and stay as they are. */
export const quotedForms = (value: string): readonly string[] => [
  ...IN_CODE.map(([characters, quoted]) => value.replace(characters, quoted)),
  inDash(value),
  ...literals(value),
  ...IN_MARKUP.map((names) => value.replace(/[&<>"']/g, (character) => names[character] ?? character)),
];
