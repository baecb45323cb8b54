import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { ScriptParameter } from "../../../src/domain/script-tool.ts";
import { byName } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { optionValue } from "../../../src/tools/script/option-values.ts";
import { ScriptTemplate } from "../../../src/tools/script/script-template.ts";
import { PARAMETERS } from "../../shell/slots/problem-of.ts";

/** The parameter that is refused in a call; null = it runs. */
function refusedIn(text: string, input: JsonObject): string | null {
  const checked = checkTemplate(text, PARAMETERS);
  if (!checked.ok) throw new Error(`${text}: ${checked.problems[0]?.message}`);
  const filled = new ScriptTemplate(checked.template, byName(PARAMETERS)).fill(input);
  if (!filled.ok) throw new Error(filled.why);
  const parameters = PARAMETERS.map((parameter) => ({
    ...parameter,
    values: parameter.isClosed ? ["a", "-b"] : null,
    allowsDash: parameter.allowsDash === true,
  })) as unknown as readonly ScriptParameter[];
  const odd = optionValue(filled, parameters);
  if (odd !== null) expect(odd.fix).not.toBe("");
  return odd?.parameter ?? null;
}

type Row = readonly [template: string, odd: JsonObject, parameter: string, plain: JsonObject];

const DASHES: readonly Row[] = [
  ["sort {{x}}", { x: "-o" }, "x", { x: "o" }],
  ["tar cf b.tar {{x}}-v{{y}}", { x: "", y: "I" }, "x", { x: "a", y: "-I" }],
  ["git checkout {{x}}-f{{y}}", { x: "", y: "" }, "x", { x: "a", y: "" }],
  ["sort {{x}}-ocanary", { x: "" }, "x", { x: "a" }],
  ["cp a {{x}}-{{y}}.txt", { x: "", y: "t" }, "x", { x: "a", y: "-t" }],
  ["cp a \"{{x}}\"'-b'{{y}}", { x: "", y: "t" }, "x", { x: "a", y: "t" }],
  ["cp a {{x}}\\-b", { x: "" }, "x", { x: "a" }],
  ["sort {{x}}{{y}}", { x: "", y: "-o" }, "y", { x: "", y: "o" }],
  ["sort {{x}}{{y}}-o", { x: "", y: "" }, "y", { x: "a", y: "" }],
  ["sort {{x}}{{y}}-o", { x: "", y: "" }, "y", { x: "", y: "a" }],
  ['v={{x}}-o; sort {{y}}"$v"', { x: "", y: "" }, "x", { x: "a", y: "" }],
  ['a={{x}}; sort "$a-o{{y}}"', { x: "", y: "c" }, "x", { x: "a", y: "c" }],
  ['v="{{x}}-{{y}}"; git checkout "$v"', { x: "", y: "f" }, "x", { x: "a", y: "-f" }],
  ['f() { sort "$1-o"; }; f {{x}}', { x: "" }, "x", { x: "a" }],
  ["sort {{#l}} {{.}}-o {{/l}}", { l: ["a", ""] }, "l", { l: ["a", "b"] }],
  ["curl -s -o{{x}} {{y}}", { x: "", y: "a" }, "x", { x: "b", y: "a" }],
  ["[ {{x}}-f = a ]", { x: "" }, "x", { x: "a" }],
];

const FORMS: readonly Row[] = [
  ["find {{x}} -name '*.tmp' -delete", { x: "!" }, "x", { x: "a!" }],
  ["find -- {{x}} -name '*.tmp'", { x: "(" }, "x", { x: "a" }],
  ["find -L {{x}} {{y}} -type f", { x: "a", y: "," }, "y", { x: "a", y: "b" }],
  ["sudo find {{x}} -type f", { x: ")" }, "x", { x: "a" }],
  ['d={{x}}; find "$d" -type f', { x: "!" }, "x", { x: "a" }],
  ["git push origin {{x}}", { x: ":main" }, "x", { x: "main" }],
  ["git push -q origin -- {{x}}", { x: "+main" }, "x", { x: "ma+in" }],
  ["git push origin refs/heads/{{x}}", { x: "a:main" }, "x", { x: "a" }],
  ["git fetch origin {{x}}", { x: "a:b" }, "x", { x: "a" }],
  ["awk '{ print }' {{x}}", { x: "FS=a" }, "x", { x: "a.txt" }],
  ["awk '{ print }' -- {{x}}", { x: "n=0" }, "x", { x: "./n=0" }],
  ["dig +short {{x}}", { x: "@a.example" }, "x", { x: "a.example" }],
];

describe("a value that a program would take for something else", () => {
  it.each([...DASHES, ...FORMS])(
    "is refused in its call: %s %j, by its name %s, and not %j",
    (text, odd, name, plain) => {
      expect(refusedIn(text, odd)).toBe(name);
      expect(refusedIn(text, plain)).toBeNull();
    },
  );

  it.each<readonly [string, JsonObject]>([
    ["tar cf b.tar -- {{x}}-v{{y}}", { x: "", y: "I" }],
    ["cat ./{{x}}-v", { x: "" }],
    ["printf '%s' {{x}}-{{y}}", { x: "", y: "a" }],
    ["echo a > {{x}}-v", { x: "" }],
    ['v={{x}}-{{y}}; echo a > "$v"', { x: "", y: "a" }],
    ["curl -o {{x}} {{y}}", { x: "", y: "a" }],
    ["ls -l{{e}}", { e: "" }],
    ["sort {{d}}", { d: "-r" }],
    ["sort {{e}}", { e: "-b" }],
    ["find . -name {{x}}", { x: "!" }],
    ["find . -exec grep -e {{x}} {} +", { x: "(" }],
    ["find ./{{x}} -type f", { x: "!" }],
    ["git push {{x}}", { x: "https://a.example/b" }],
    ["git commit -m {{x}}", { x: ":a" }],
    ["awk -v a={{x}} '{ print a }' f", { x: "b=c" }],
    ["awk '{ print }' ./{{x}}", { x: "n=0" }],
    ["grep -e {{x}} find", { x: "(" }],
    ['mkdir "$(date +%F)-{{x}}"', { x: "a" }],
  ])("may be anything where nobody does: %s %j", (text, input) => {
    expect(refusedIn(text, input)).toBeNull();
  });
});
