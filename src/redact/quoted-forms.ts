type Quoting = readonly [characters: RegExp, quoted: (character: string) => string];

const backslashed = (character: string): string => `\\${character}`;

/** How shells and languages write a text down where its own characters mean something to them. Without the quotes around it. */
const IN_CODE: readonly Quoting[] = [
  [/[$`"\\]/g, backslashed], // bash: `export -p`, `declare -p`
  [/[\s!"$&'()*,;<>?[\\\]^`{|}]/g, backslashed], // bash: `printf %q`
  [/'/g, () => "'\\''"], // bash: `set`, `set -x`; jq: `@sh`
  [/'/g, () => "'\"'\"'"], // dash, and Python's `shlex`
  [/['\\]/g, backslashed], // Python's `repr`, Node's `inspect`, Perl
  [/"/g, () => '""'], // CSV
  [/'/g, () => "''"], // YAML, SQL
];

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
  ...IN_MARKUP.map((names) => value.replace(/[&<>"']/g, (character) => names[character] ?? character)),
];
