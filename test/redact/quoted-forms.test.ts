import { execFileSync } from "node:child_process";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { Secret } from "../../src/domain/secret.ts";
import { formsOf } from "../../src/redact/known-forms.ts";
import { KnownValues } from "../../src/redact/known-values.ts";
import { quotedForms } from "../../src/redact/quoted-forms.ts";
import { needs } from "../support/parts.ts";

/** Passwords have such characters, and every way to print them has others that it writes differently. */
const VALUE = "pa$$w0rd\"x'y`z\\q&<r> {a,b}!*";

/** As the matcher does: bytes, and line breaks are passed over. */
const isFound = (text: string, value = VALUE): boolean =>
  [...formsOf(value)].some((form) => Buffer.from(text).toString("latin1").replaceAll("\n", "").includes(form));

it.each([
  ["bash", "export -p"],
  ["bash", "declare -p SECRET"],
  ["bash", "set"],
  ["bash", 'printf %q "$SECRET"'],
  ["bash", 'exec 2>&1; set -x; : "$SECRET"'],
  ["bash", "exec 2>&1; set -x; x=$SECRET"],
  ["dash", "export -p"],
  ["dash", "set"],
] as const)("finds what %s prints: %s", (shell, script) => {
  const printed = execFileSync(shell, ["-c", script], { env: { PATH: process.env.PATH, SECRET: VALUE } }).toString();
  expect(isFound(printed)).toBe(true);
});

const OTHERS = [
  "both 'of' \"them\" and \\one",
  "at the end'",
  "'at the start",
  "''in a row''",
  "two\nlines, 'tab'\t$x",
  "höße-Ärger",
  "日本語'\"$パス",
  "emoji😀pass'word",
];

/** What prints a variable as it stands in a language's code. */
const PRINTERS = {
  bash: ["-c", ["export -p", 'export LC_ALL=C; printf %q "$SECRET"', "set"]],
  dash: ["-c", ["export -p", 'exec 2>&1; set -x; : "$SECRET"']],
  node: ["-e", ["console.log([process.env.SECRET])"]],
  python3: [
    "-c",
    [
      "import os; print([os.environ['SECRET']])",
      "import os; print(ascii(os.environ['SECRET']))",
      "import os; print(os.environb[b'SECRET'])",
      "import os, re; print(re.escape(os.environ['SECRET']))",
    ],
  ],
} as const;

for (const [program, [option, scripts]] of Object.entries(PRINTERS)) {
  needs(program)(`what ${program} prints`, () => {
    it.each(scripts.flatMap((script) => OTHERS.map((value) => [script, value] as const)))(
      "by %j is found: %j",
      (script, value) => {
        const env = { PATH: process.env.PATH, LANG: "C.UTF-8", SECRET: value };
        expect(isFound(execFileSync(program, [option, script], { env }).toString(), value)).toBe(true);
      },
    );
  });
}

it.each([
  ["dash, where nothing stands around the quotes", "''''''", `"''''''"`],
  ["git of paths", "höße-Ärger", '"h\\303\\266\\303\\237e-\\303\\204rger"'],
  ["Docker Compose", "pa$w0rd", "pa$$w0rd"],
])("finds what %s prints", (_, value, text) => expect(isFound(text, value)).toBe(true));

it.each([
  ["inspect", inspect({ a: VALUE })],
  ["JSON of what a shell prints", JSON.stringify(`declare -x SECRET="${VALUE.replace(/[$`"\\]/g, "\\$&")}"`)],
  ["CSV", `1,"${VALUE.replaceAll('"', '""')}"`],
  ["YAML", `a: '${VALUE.replaceAll("'", "''")}'`],
  ["a text in markup", "pa$$w0rd\"x'y`z\\q&amp;&lt;r&gt; {a,b}!*"],
  ["an attribute", "pa$$w0rd&quot;x&#x27;y`z\\q&amp;&lt;r&gt; {a,b}!*"],
])("finds it in %s", (_, text) => expect(isFound(text)).toBe(true));

it("takes it out, and nothing around it", () => {
  const found = new KnownValues([{ name: "S", value: new Secret("pa$$w0rd") }]);
  const text = Buffer.from('declare -x S="pa\\$\\$w0rd"');
  expect(found.find(text, "last").spans).toEqual([{ start: 14, end: 24, rule: "S" }]);
});

it("has nothing to add to a value without such characters", () => {
  expect(new Set(quotedForms("plainvalue12"))).toEqual(new Set(["plainvalue12"]));
});
