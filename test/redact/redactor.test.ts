import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { containsMarker } from "../../src/redact/marker.ts";
import { Redactor } from "../../src/redact/redactor.ts";
import { made, namedSecrets, redactorOf } from "./samples.ts";

const VALUE = "known-value-1234";
const redactor = await redactorOf({ secrets: namedSecrets({ KNOWN: VALUE }) });

describe("text", () => {
  it("counts what was found, by rule", () => {
    expect(redactor.redactText(`${VALUE} password=hunter2 ${VALUE}`)).toEqual({
      text: "[REDACTED:KNOWN] password=[REDACTED:password] [REDACTED:KNOWN]",
      found: [
        { rule: "KNOWN", count: 2 },
        { rule: "password", count: 1 },
      ],
    });
  });

  it("comes back as it is where nothing is found, also with half a character in it", () => {
    expect(redactor.redactText("half \ud83d of it")).toEqual({ text: "half \ud83d of it", found: [] });
  });

  it("finds a shape around a known value, and a known value in a shape", () => {
    expect(redactor.redactText(`password=${VALUE}!`).text).toBe("password=[REDACTED:KNOWN]!");
    expect(redactor.redactText(`password=pre-fix9-${VALUE}`).text).toBe("password=[REDACTED:password][REDACTED:KNOWN]");
  });
});

describe("JSON", () => {
  const shown = (value: JsonValue): JsonValue => redactor.redactJson(value).value;

  it("D40: keeps names, order, numbers and structure", () => {
    const value = { b: [1, null, true, { a: VALUE }], password: { min: 8 }, token: 7, "": [] };
    expect(JSON.stringify(shown(value))).toBe(JSON.stringify(value).replace(VALUE, () => "[REDACTED:KNOWN]"));
  });

  it.each([
    ["password", "hunter2", "[REDACTED:password]"],
    ["dbPassword", "hunter2", "[REDACTED:password]"],
    ["pass", "hunter2", "[REDACTED:password]"],
    ["compass", "hunter2", "hunter2"],
    ["api_key", made(16), "[REDACTED:token]"],
    ["x-api-key", made(16), "[REDACTED:token]"],
    ["client_secret", made(16), "[REDACTED:token]"],
    ["password", "x", "x"],
    ["password", `\${PASSWORD_1}`, `\${PASSWORD_1}`],
    ["passwordHint", "hunter2", "hunter2"],
    ["nextToken", made(16), made(16)],
    ["cache_key", made(16), made(16)],
    ["token_type", "bearer12345678", "bearer12345678"],
  ])("a member `%s` of `%s` gives `%s`", (name, value, expected) => {
    expect(shown({ [name]: value })).toEqual({ [name]: expected });
  });

  it("I7: a known value does not get out as a name either", () => {
    expect(shown({ [VALUE]: 1 })).toEqual({ "[REDACTED:KNOWN]": 1 });
  });

  it("keeps a member called `__proto__`", () => {
    expect(JSON.stringify(shown(JSON.parse('{"__proto__":"x"}')))).toBe('{"__proto__":"x"}');
  });

  it("has the same shape afterwards, and nothing more to redact", () => {
    const someText = fc.oneof(
      fc.string(),
      fc.constantFrom(VALUE, "hunter2", made(16), `ghp_${made(36)}`, "password=hunter2"),
    );
    const someName = fc.constantFrom("password", "token", "a", "b", "c");
    const { value: someValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        someText,
        fc.integer(),
        fc.constantFrom(null, true),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(someName, tie("value"), { maxKeys: 4 }),
      ),
    }));
    void fc.assert(
      fc.property(someValue, (value) => {
        const redacted = shown(value);
        expect(shapeOf(redacted)).toEqual(shapeOf(value));
        expect(redactor.redactJson(redacted)).toEqual({ value: redacted, found: [] });
        expect(JSON.stringify(redacted)).not.toContain(VALUE);
      }),
      { numRuns: 500 },
    );
  });
});

/** The value with all its texts made equal. */
function shapeOf(value: JsonValue): JsonValue {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, member]) => [name, shapeOf(member)]));
}

describe("content", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");

  it.each([
    ["text", { type: "text", text: VALUE }],
    ["a diff", { type: "diff", path: `/${VALUE}`, diff: `+${VALUE}`, oldText: VALUE, newText: VALUE }],
    ["a new file", { type: "diff", path: "/a", diff: `+${VALUE}`, newText: VALUE }],
    ["a resource", { type: "resource", uri: `x://${VALUE}`, text: VALUE }],
    [
      "a picture",
      {
        type: "image",
        mediaType: "image/png",
        data: Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(VALUE)]).toString("base64"),
      },
    ],
    ["a blob", { type: "resource", uri: "x://y", blob: base64(`\n${VALUE}`) }],
  ] as const)("holds no known value in %s", (_, item) => {
    const { content, found } = redactor.redactContent([item]);
    const decoded = JSON.stringify(content, (key, value) =>
      key === "data" || key === "blob" ? Buffer.from(value, "base64").toString("latin1") : value,
    );
    expect(decoded).not.toContain(VALUE);
    expect(Object.keys(content[0] ?? {}).toSorted()).toEqual(Object.keys(item).toSorted());
    expect(found).toEqual([{ rule: "KNOWN", count: expect.any(Number) }]);
  });

  it("is left alone where there is nothing", () => {
    const content = [
      { type: "text", text: "hello" },
      { type: "image", mediaType: "image/png", data: base64("\xff\xfe pixels") },
      { type: "resource", uri: "file:///a", blob: base64("text") },
    ] as const;
    expect(redactor.redactContent(content)).toEqual({ content, found: [] });
  });

  it("shows shapes in a blob of text, and leaves them in a picture", () => {
    const [blob, image] = redactor.redactContent([
      { type: "resource", uri: "x://y", blob: base64("password=hunter2") },
      { type: "image", mediaType: "image/png", data: Buffer.from("\xffpassword=hunter2", "latin1").toString("base64") },
    ]).content;
    expect(blob).toMatchObject({ blob: base64("password=[REDACTED:password]") });
    expect(containsMarker(Buffer.from((image as { data: string }).data, "base64").toString())).toBe(false);
  });

  it.each<[string, string, string]>([
    [
      "a text of another encoding",
      "# f\xfcr alle\npassword=hunter2\n",
      "# f\xfcr alle\npassword=[REDACTED:password]\n",
    ],
    ["a text with a byte that is none", "password=hunter2\n\xff", "password=[REDACTED:password]\n\xff"],
    ["texts in a program", "\xff\0\x01password=hunter2\0more\0", "\xff\0\x01password=[REDACTED:password]\0more\0"],
    ["names in a program", "\xffpassword=\0hunter2\0", "\xffpassword=\0hunter2\0"],
    [
      "a secret behind names",
      "\xffpassword \0token=\0pwd=hunter2\0",
      "\xffpassword \0token=\0pwd=[REDACTED:password]\0",
    ],
  ])("in bytes that are no UTF-8 is searched for shapes: %s", async (_, text, left) => {
    for (const more of ["", `${"z\n".repeat(100_000)}`]) {
      const content = [
        { type: "resource", uri: "x://y", blob: Buffer.from(more + text, "latin1").toString("base64") },
      ] as const;
      const blob = Buffer.from(more + left, "latin1").toString("base64");
      expect(redactor.redactContent(content).content).toEqual([{ ...content[0], blob }]);
      const seen = await redactor.ahead(content);
      expect(seen === null).toBe(more === "");
      expect(redactor.redactContent(content, seen).content).toEqual([{ ...content[0], blob }]);
    }
  });

  it("redacts data that is no Base64 as a text", () => {
    const data = `not base64: ${VALUE}`;
    expect(redactor.redactContent([{ type: "image", mediaType: "x", data }]).content).toEqual([
      { type: "image", mediaType: "x", data: "not base64: [REDACTED:KNOWN]" },
    ]);
  });
});

describe("a result", () => {
  it("is as its parts are by themselves, whatever is in both", () => {
    const long = `${"word ".repeat(1000)}${VALUE} password=hunter2`;
    for (const text of [long, VALUE, "nothing", ""]) {
      const content = [{ type: "text", text } as const];
      const structured = { stdout: text, password: text, [VALUE]: [text] };
      expect(redactor.redactResult(content, structured)).toEqual({
        content: redactor.redactContent(content).content,
        structured: redactor.redactJson(structured).value,
      });
    }
  });

  it("costs once for a long text that is in it twice", () => {
    let looks = 0;
    const idle = { isIdle: true, mayFind: () => false, find: () => [], findCut: () => [] };
    const known = { ...idle, mayFind: () => looks++ < 0 };
    const counting = new Redactor({ known: known as never, shapes: idle as never, memberNames: "tell" });
    const text = "x".repeat(5000);
    counting.redactResult([{ type: "text", text }], { stdout: text });
    // Its type and the name of its member are looked at as well.
    const once = looks;
    counting.redactResult([{ type: "text", text }], { stdout: `${text}y` });
    expect(looks - once).toBe(once + 1);
  });
});
