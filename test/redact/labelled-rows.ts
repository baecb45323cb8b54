/** A row of `secrets_labelled.jsonl`: texts of the test suites of gitleaks and secretlint. */
export interface LabelledRow {
  readonly text: string;
  readonly label: "secret" | "not_secret";
  readonly rule: string;
  readonly case?: string;
}

/**
 * A label says what one rule of another tool is to do, under that test's settings. Where this differs from whether the
 * text holds a secret, the row says nothing about us. A row is left out only where its text proves the reason.
 */
export interface Exclusion {
  readonly because: string;
  readonly concerns: (row: LabelledRow) => boolean;
  readonly proof: (row: LabelledRow) => boolean;
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** Twelve and more characters with a letter and a digit among them, but no UUID: what a machine makes as a secret. */
const holdsNoCandidate = ({ text }: LabelledRow): boolean =>
  !(text.replace(UUID, "").match(/[A-Za-z0-9+/=_-]{12,}/g) ?? []).some((run) => /[A-Za-z]/.test(run) && /\d/.test(run));

/** Whole keys, as their vendors describe them. */
const VENDOR_FORMATS: readonly RegExp[] = [
  /\bAIza[\w-]{35}\b/,
  /\bsk-ant-(?:api|admin)\d\d-[\w-]{80,}AA\b/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bfigd_[\w-]{40,}/,
  /\bgsk_[A-Za-z0-9]{48,}/,
  /\btskey-[a-z]+-\w+-\w+/,
  /\bsk-(?:proj|svcacct|admin)-[\w-]{40,}/,
  /\bapiKey:"[0-9a-f]{32}"/,
  /:\/\/\w+:[^@\s]*\w@[\w.-]+/,
];
const holdsWholeKey = ({ text }: LabelledRow): boolean => VENDOR_FORMATS.some((format) => format.test(text));

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    because: "labelled a secret, tests the linter itself (sample sentences, home directories), and holds none",
    concerns: ({ label, rule, case: name }) =>
      label === "secret" &&
      (/-rule-(?:example|filter-comments|no-homedir)$/.test(rule) ||
        name === "ng.filePathGlobs-negation" ||
        name === "ng.ad_tenant_id"),
    proof: holdsNoCandidate,
  },
  {
    because: "binary (PKCS #12 as text): whether its password is empty can't be seen in the bytes",
    concerns: ({ rule, case: name = "" }) => rule === "secretlint-rule-gcp" && name.includes("p12"),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary from text
    proof: ({ text }) => /[\0-\x08]/.test(text),
  },
  {
    because: "labelled no secret, and holds a whole key: published, allowed by that test's settings, or another rule's",
    concerns: ({ label }) => label === "not_secret",
    proof: holdsWholeKey,
  },
];

/** Why a row says nothing about us; null = it counts. */
export function whyLeftOut(row: LabelledRow, secrets: ReadonlySet<string>): string | null {
  if (row.label === "not_secret" && secrets.has(row.text)) return "the same text is labelled a secret as well";
  return EXCLUSIONS.find(({ concerns, proof }) => concerns(row) && proof(row))?.because ?? null;
}
