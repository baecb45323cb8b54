/** A row of `secrets_labelled.jsonl`: texts of the test suites of gitleaks and secretlint. */
export interface LabelledRow {
  readonly text: string;
  readonly label: "secret" | "not_secret";
  readonly rule: string;
  readonly case?: string;
}

/**
 * A label says what one rule of another tool is to do, under that test's settings. Where this differs from whether the
 * text holds a secret, the row says nothing about us. Left out by these reasons, whatever we find in them.
 */
const LEFT_OUT: readonly { readonly because: string; readonly applies: (row: LabelledRow) => boolean }[] = [
  {
    because: "tests the linter itself: sample sentences, home directories",
    applies: ({ rule }) => /-rule-(?:example|filter-comments|no-homedir)$/.test(rule),
  },
  {
    because: "allowed or switched off by the settings of that test, or left to another rule of the same tool",
    applies: ({ case: name = "" }) => /^ok\..*(?:allow|-false$|-not-detected$)/.test(name),
  },
  {
    because: "no credential: the words `secret content`, the id of a tenant",
    applies: ({ case: name }) => name === "ng.filePathGlobs-negation" || name === "ng.ad_tenant_id",
  },
  {
    because: "binary (PKCS #12): whether it has an empty password can't be seen in the bytes",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary from text
    applies: ({ text }) => /[\0-\x08]/.test(text),
  },
  {
    because: "a whole key that the other tool lists by name because it was published",
    applies: ({ rule, text }) => rule === "gcp-api-key" && /^AIza[\w-]{35}$/.test(text),
  },
  {
    because: "the same, of Algolia",
    applies: ({ rule, text }) => rule === "generic-api-key" && /^,apiKey:"[0-9a-f]{32}",$/.test(text),
  },
  {
    because: "a whole key of the vendor's other kind, which another rule of the same tool takes",
    applies: ({ rule, text }) => rule === "anthropic-api-key" && text.startsWith("sk-ant-admin"),
  },
  {
    because: "`sk-` keys without the mark of OpenAI: other vendors make such keys",
    applies: ({ rule, case: name }) => rule === "secretlint-rule-openai" && name === "ok.valid",
  },
];

/** The rows whose label says whether there is a secret. */
export function rowsThatCount(rows: readonly LabelledRow[]): readonly LabelledRow[] {
  const secrets = new Set(rows.filter(({ label }) => label === "secret").map(({ text }) => text));
  const contradicts = ({ label, text }: LabelledRow) => label === "not_secret" && secrets.has(text);
  return rows.filter((row) => !contradicts(row) && !LEFT_OUT.some(({ applies }) => applies(row)));
}
