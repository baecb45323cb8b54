import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withMember } from "../../src/config/jsonc-edit.ts";

const ENTRY = { command: "npx", args: ["toolgate", "mcp"] };
const put = (text: string) => withMember(text, "servers", "toolgate", ENTRY);

const textOf = (text: string): string => {
  const edited = put(text);
  if (!edited.ok) throw new Error(edited.message);
  return edited.text;
};

describe("a member of a JSON text with comments", () => {
  it("is put in, and all else stays to the byte", () => {
    const text = `// mine\n{\n  "a": 1, // one\n  "servers": { /* none */\n    "other": { "command": "x}" },\n  },\n}\n`;
    const edited = textOf(text);
    expect(edited.replace(/\n {4}"toolgate": \{[\s\S]*?\n {4}\},/, "")).toBe(text);
    expect(textOf(edited)).toBe(edited);
  });

  it.each([
    ["{}", { servers: { toolgate: ENTRY } }],
    ["{\n}\n", { servers: { toolgate: ENTRY } }],
    ['{"servers":{}}', { servers: { toolgate: ENTRY } }],
    [
      '{"servers":{"toolgate":{"command":"old"}},"b":[1,{"}":"]"}]}',
      { servers: { toolgate: ENTRY }, b: [1, { "}": "]" }] },
    ],
  ])("is put into %s", (text, wanted) => {
    expect(JSON.parse(textOf(text))).toEqual(wanted);
  });

  it.each([
    ["[]", "no JSON object"],
    ["{", "line 1"],
    ['{"servers": []}', "is no object"],
    ['{"servers": null}', "can't be edited"],
    ['{"servers": {}, "servers": {"a": 1}}', "line 1"],
  ])("is not put into %s", (text, message) => {
    expect(put(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });

  it("changes nothing else, whatever the text", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (given, isWide) => {
        const { servers: _, ...rest } = given as Record<string, unknown>;
        const text = JSON.stringify(rest, null, isWide ? 2 : 0);
        const edited = put(text);
        if (edited.ok) expect(JSON.parse(edited.text)).toEqual({ ...JSON.parse(text), servers: { toolgate: ENTRY } });
      }),
      { numRuns: 200 },
    );
  });
});
