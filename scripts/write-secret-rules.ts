// Writes src/redact/gitleaks-rules.ts from the rule set of gitleaks: `node scripts/write-secret-rules.ts GITLEAKS.TOML COMMIT`.
// No package on npm holds these rules. Expressions are written anew for a finder that anchors them at a keyword.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Rule {
  readonly id: string;
  readonly regex: string;
  readonly entropy: number;
  readonly keywords: readonly string[];
}

/** Kept by rules of our own, which see more (a name before the secret, several lines, a keyword in the middle) or less by chance. */
const OWN = new Set(
  (
    "curl-auth-header curl-auth-user generic-api-key private-key kubernetes-secret-yaml nuget-config-password jwt " +
    "azure-ad-client-secret facebook-access-token hashicorp-tf-api-token hashicorp-tf-password sidekiq-sensitive-url " +
    "freemius-secret-key twilio-api-key vault-service-token sourcegraph-access-token aws-amazon-bedrock-api-key-short-lived " +
    "microsoft-teams-webhook slack-webhook-url maxmind-license-key gitlab-session-cookie jwt-base64 " +
    "slack-config-access-token airtable-personnal-access-token openai-api-key stripe-access-token aws-access-token"
  ).split(" "),
);

/** The file has one way to write a table, so that no reader of TOML is needed. */
function rulesIn(toml: string): readonly Rule[] {
  return toml
    .split("[[rules]]")
    .slice(1)
    .map((block) => {
      const own = block.split("[[rules.allowlists]]")[0] ?? "";
      const text = (name: string) => new RegExp(`^${name} = (?:'''(.*?)'''|"(.*?)")$`, "m").exec(own);
      const keywords = /^keywords = \[([^\]]*)\]/m.exec(own)?.[1] ?? "";
      return {
        id: text("id")?.[2] ?? "",
        regex: text("regex")?.[1] ?? text("regex")?.[2] ?? "",
        entropy: Number(/^entropy = ([\d.]+)$/m.exec(own)?.[1] ?? 0),
        keywords: Array.from(keywords.matchAll(/"([^"]+)"/g), ([, keyword]) => keyword ?? ""),
      };
    });
}

/** Texts that are published, as the rule set lists them. */
function publishedIn(toml: string): readonly string[] {
  const all = Array.from(toml.matchAll(/^\s*(?:'''|")([A-Za-z0-9_-]{20,})(?:'''|"),?$/gm), ([, text]) => text ?? "");
  return [...new Set(all.filter((text) => /[0-9]/.test(text)))];
}

const NAME_AND_SIGN = String.raw`(?:[ \t\w.-]{0,20})[\s'"]{0,3}`;
const SIGN = String.raw`(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`;
const ENDS = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[^\w-]|\z)`,
  String.raw`(?:[^a-zA-Z0-9+/]|\z)`,
  String.raw`\b`,
];
const HEADS: readonly (readonly [head: string, middle: string, flags: "i" | ""])[] = [
  [String.raw`(?i)[\w.-]{0,50}?(?:`, `)${NAME_AND_SIGN}${SIGN}`, "i"],
  [String.raw`[\w.-]{0,50}?(?i:[\w.-]{0,50}?(?:`, `)${NAME_AND_SIGN})${SIGN}`, ""],
];

interface Named {
  readonly names: string;
  readonly value: string;
}

/** A rule for `name = value`; null: it is another one. */
function namedFrom(regex: string): Named | null {
  for (const [head, middle, flags] of HEADS) {
    const at = regex.indexOf(middle);
    if (!regex.startsWith(head) || at === -1) continue;
    const value = regex.slice(at + middle.length, regex.indexOf(`)${ENDS[0]}`, at));
    return { names: regex.slice(head.length, at), value: flags === "i" ? `(?i:${bounded(value)})` : bounded(value) };
  }
  return null;
}

/** Whether a token ends where a value ends, and not merely a word: its first characters alone prove too little. */
const endOf = (regex: string): "value" | "word" => (regex.endsWith(ENDS[0] as string) ? "value" : "word");

/** A rule for a token that begins with one of its keywords. */
function tokenFrom(regex: string): string {
  let token = regex;
  const end = ENDS.find((each) => token.endsWith(each));
  if (end !== undefined) token = token.slice(0, -end.length);
  const isAnyCase = token.startsWith("(?i)");
  token = token.replace(/^\(\?i\)/, "").replace(/^\\b/, "");
  return isAnyCase ? `(?i:${bounded(token)})` : bounded(token);
}

const REPEATED_MAX = 400;

/** In the syntax of JavaScript, without groups that capture, and with a bound for each repetition. */
function bounded(expression: string): string {
  return withScopedFlags(expression)
    .replace(/\[\[:alnum:\]\]/g, "[A-Za-z0-9]")
    .replace(/\(\?P<\w+>/g, "(?:")
    .replace(/(?<!\\)\((?!\?)/g, "(?:")
    .replace(/\{(\d+),\}/g, (_, least) => `{${least},${Number(least) + REPEATED_MAX}}`)
    .replace(/(?<=[\])])\+/g, `{1,${REPEATED_MAX}}`)
    .replace(/(?<=[\])])\*/g, `{0,${REPEATED_MAX}}`)
    .replaceAll("\\d+", `\\d{1,${REPEATED_MAX}}`);
}

/** `a(?i)b` holds to the end of its group: `a(?i:b)`. */
function withScopedFlags(expression: string): string {
  const at = expression.indexOf("(?i)");
  if (at === -1) return expression;
  const rest = expression.slice(at + 4);
  let depth = 0;
  for (let end = 0; end <= rest.length; end++) {
    const character = rest[end - 1] === "\\" ? "" : rest.charAt(end);
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0 || end === rest.length)
      return withScopedFlags(`${expression.slice(0, at)}(?i:${rest.slice(0, end)})${rest.slice(end)}`);
  }
  return expression;
}

/** Every keyword has three characters; a rule that names something else than its keyword is found by its names. */
function keywordsOf(names: string, { keywords }: Rule): readonly string[] {
  const begins = new RegExp(`^(?:${names})`, "i");
  const own = keywords.filter((keyword) =>
    [keyword, `${keyword}token`, `${keyword}_token`, `${keyword}key`].some((text) => begins.test(text)),
  );
  return own.length > 0 ? own : names.split("|").map((name) => name.toLowerCase().replace(/[^a-z0-9_-]/g, ""));
}

const [source, commit] = process.argv.slice(2);
if (source === undefined || commit === undefined)
  throw new Error("usage: node scripts/write-secret-rules.ts GITLEAKS.TOML COMMIT");
const toml = readFileSync(source, "utf8");
const rules = rulesIn(toml).filter(({ id, regex }) => regex !== "" && !OWN.has(id));
const named: string[] = [];
const tokens: string[] = [];
for (const rule of rules) {
  const of = namedFrom(rule.regex);
  const { id, entropy } = rule;
  if (of !== null && !of.value.includes("$"))
    named.push(JSON.stringify([id, keywordsOf(of.names, rule).join(" "), of.names, of.value, entropy]));
  else if (of === null)
    tokens.push(JSON.stringify([id, rule.keywords.join(" "), tokenFrom(rule.regex), endOf(rule.regex), entropy]));
}
writeFileSync(
  join(import.meta.dirname, "../src/redact/gitleaks-rules.ts"),
  `// Made by \`node scripts/write-secret-rules.ts\` from config/gitleaks.toml of https://github.com/gitleaks/gitleaks at commit
// ${commit}. Do not edit.
//
// The rule set is under the MIT License, Copyright (c) 2019 Zachary Rice:
//
${mitNotice()}

/** Values by the name that stands before them: id, keywords, names, value, least entropy. */
export const NAMED_VALUES: readonly (readonly [string, string, string, string, number])[] = [
${named.join(",\n")},
];

/** Tokens by their own first characters: id, keywords, token, where it must end, least entropy. */
export const TOKENS: readonly (readonly [string, string, string, "value" | "word", number])[] = [
${tokens.join(",\n")},
];

/** Values that are published as examples. */
export const PUBLISHED: readonly string[] = ${JSON.stringify(publishedIn(toml))};
`,
);

function mitNotice(): string {
  const text = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to
do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
  return text
    .split("\n")
    .map((line) => `// ${line}`.trimEnd())
    .join("\n");
}
