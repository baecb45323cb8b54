import { execFileSync } from "node:child_process";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { Secret } from "../../src/domain/secret.ts";
import { formsOf } from "../../src/redact/known-forms.ts";
import { KnownValues } from "../../src/redact/known-values.ts";
import { quotedForms } from "../../src/redact/quoted-forms.ts";

/** Passwords have such characters, and every way to print them has others that it writes differently. */
const VALUE = "pa$$w0rd\"x'y`z\\q&<r> {a,b}!*";

const isFound = (text: string): boolean => [...formsOf(VALUE)].some((form) => text.includes(form));

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
