import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { byName, type TemplateParameter } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { parseTemplate } from "../../../src/shell/parse-template.ts";
import { UNCLEAR } from "../../../src/shell/template-scope.ts";
import { templateVariants } from "../../../src/shell/template-variants.ts";
import { type Piece, unrollTemplate } from "../../../src/shell/unroll-template.ts";
import { ScriptTemplate } from "../../../src/tools/script/script-template.ts";

const of = (name: string, type: TemplateParameter["type"], isClosed = false): TemplateParameter => ({
  ...{ name, type, isClosed },
});
const PARAMETERS: readonly TemplateParameter[] = [
  of("q", "string"),
  of("limit", "number"),
  of("mode", "string", true),
  of("list", "array"),
  of("object", "object"),
  ...["a", "b", "c", "d", "e", "f", "g"].map((name) => of(name, "boolean")),
];
const DECLARED = byName(PARAMETERS);
const typeOf = (name: string): string | undefined => DECLARED.get(name)?.type;
const codeOf = (text: string): string | null => {
  const checked = checkTemplate(text, PARAMETERS);
  return checked.ok ? null : (checked.problems[0]?.code ?? "");
};

describe("a slot in a nested section", () => {
  it.each([
    "{{#limit}}{{#list}} sed -n {{.}} f {{/list}}{{/limit}}",
    "{{#limit}}bash -c {{value|default('')}}{{/limit}}",
    "{{#limit}}bash -c {{key|default('')}}{{/limit}}",
    "{{#mode}}{{#list}}sort -{{.}} f{{/list}}{{/mode}}",
    "{{#limit}}{{#object}}sed -n {{value}} f{{/object}}{{/limit}}",
    "{{#mode}}{{#object}}sort -{{key}} f{{/object}}{{/mode}}",
    "{{#list}}{{#limit}}{{#.}}{{/.}}{{/limit}}sed -n {{.}} f{{/list}}",
    "{{#limit}}{{#list}}{{#.}}sed -n {{.}} f{{/.}}{{/list}}{{/limit}}",
    "{{#limit}}{{#list}}{{#.}}sed -n {{value}} f{{/.}}{{/list}}{{/limit}}",
  ])("is checked as the innermost one's: %s", (text) => {
    expect(codeOf(text)).toBe("TEMPLATE_UNSAFE_SLOT");
  });

  it.each([
    "{{#list}}{{#limit}}head -{{.}} f{{/limit}}{{/list}}",
    "{{#list}}{{#mode}}sort -{{.}} f{{/mode}}{{/list}}",
    "{{#object}}{{#limit}}head -{{.}} f; echo {{key}}{{/limit}}{{/object}}",
    "{{#limit}}{{#list}}cat -- {{.}}{{/list}}{{/limit}}",
  ])("is let in as what it is: %s", (text) => {
    expect(codeOf(text)).toBeNull();
  });

  it("that no section gives is nobody's", () => {
    expect(codeOf("{{#object}}echo {{.}}{{/object}}")).toBe("TEMPLATE_UNDECLARED");
    expect(codeOf("{{#list}}{{#object}}echo {{.}}{{/object}}{{/list}}")).toBeNull();
  });
});

/** Code with some of its sections only. */
const HALF: readonly string[] = [
  "{{#q}}bash {{#a}}report.sh{{/a}} {{#b}}stats.sh{{/b}} {{q}}{{/q}}",
  "{{#q}}sqlite3 {{#a}}-safe -json{{/a}} {{#b}}-safe -csv{{/b}} db {{q}}{{/q}}",
  "sqlite3 {{#a}}-safe{{/a}}{{^a}}{{#b}}-safe{{/b}}{{/a}} db {{#c}}'select 1'{{/c}}{{^c}}{{q}}{{/c}}",
  "bash {{#a}}a.sh{{/a}}{{^a}}{{^b}}b.sh{{/b}}{{/a}} {{q}}",
];

describe("sections that leave each other out", () => {
  it.each(HALF)("are tried together: %s", (text) => {
    expect(codeOf(text)).toBe("TEMPLATE_UNSAFE_SLOT");
  });

  it.each(["bash {{#a}}a.sh{{/a}}{{^a}}b.sh{{/a}} {{q}}", "sqlite3 {{#a}}-safe -json{{/a}}{{^a}}-safe{{/a}} db {{q}}"])(
    "are tied together by their name: %s",
    (text) => {
      expect(codeOf(text)).toBeNull();
    },
  );

  it("are so few that all can be tried, and each call is looked at if not", () => {
    const text = `${"abcdefg".replace(/./g, "{{#$&}}echo {{/$&}}\n")}python3 {{#a}}-c{{/a}}{{^a}}-m x{{/a}} {{#b}}1{{/b}} {{#c}}1{{/c}} {{q}}`;
    const checked = checkTemplate(text, PARAMETERS);
    expect(checked.ok).toBe(false);
    const variants = [...templateVariants(nodesOf(text), typeOf)];
    expect(variants.length).toBeLessThan(100);
  });
});

const nodesOf = (text: string) => {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.template.nodes;
};

describe("a call", () => {
  const fill = (text: string, input: JsonObject) => new ScriptTemplate({ nodes: nodesOf(text) }, DECLARED).fill(input);

  it.each(HALF)("is refused if what it comes to would be code: %s", (text) => {
    expect(fill(text, { q: "x" }).ok && fill(text, { q: "x", b: true }).ok).toBe(false);
  });

  it("is not mistaken for another of the same text", () => {
    const template = new ScriptTemplate(
      { nodes: nodesOf("{{#list}}{{#object}}{{#.}}echo {{key}}{{/.}}{{/object}}{{/list}}") },
      DECLARED,
    );
    const parameter = (item: JsonValue) => {
      const filled = template.fill({ list: [item], object: { k: "v" } });
      return filled.ok ? filled.script.slots[0]?.parameter : null;
    };
    expect([parameter("text"), parameter({ inner: 1 })]).toEqual(["object", "list"]);
  });
});

const NAMES = ["q", "limit", "mode", "list", "object", "a", ".", "key", "value"];
const templates = fc.letrec<{ node: string; body: string }>((tie) => ({
  body: fc.array(tie("node"), { maxLength: 3, depthIdentifier: "template" }).map((nodes) => nodes.join(" ")),
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: "template" },
    fc.constantFrom(...NAMES).map((name) => `{{${name}|default('z')}}`),
    fc
      .tuple(fc.constantFrom("#", "#", "#", "^"), fc.constantFrom(...NAMES), tie("body"))
      .map(([sign, name, body]) => `{{${sign}${name}}}${body}{{/${name}}}`),
  ),
})).body;
const items: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>("", "t", 0, true, false, null),
  fc.array(fc.constantFrom<JsonValue>("i", 1, { k: 1 }), { maxLength: 2 }),
  fc.constantFrom<JsonValue>({}, { k: "v" }, { k: { l: [1] } }),
);
const inputs: fc.Arbitrary<JsonObject> = fc.record(
  {
    q: fc.constantFrom("", "text"),
    limit: fc.constantFrom(0, 7),
    mode: fc.constant("m"),
    list: fc.array(items, { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom("x", "y"), items),
    a: fc.boolean(),
  },
  { requiredKeys: [] },
);

const parametersIn = (pieces: Iterable<Piece>) =>
  [...pieces].flatMap((piece) => (typeof piece === "string" ? [] : [[piece.slot.at, piece.parameter] as const]));

describe("check and call", () => {
  it("agree on which parameter each slot is", () => {
    let slots = 0;
    fc.assert(
      fc.property(templates, inputs, (text, input) => {
        const nodes = nodesOf(text);
        const checked = new Map([...templateVariants(nodes, typeOf)].flatMap(parametersIn));
        for (const [at, parameter] of parametersIn(unrollTemplate(nodes, input))) {
          const expected = checked.get(at);
          slots++;
          if (expected !== UNCLEAR) expect(parameter).toBe(expected);
        }
      }),
      { numRuns: 3000 },
    );
    expect(slots).toBeGreaterThan(500);
  });
});
