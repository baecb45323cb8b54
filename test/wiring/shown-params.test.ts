import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/domain/json.ts";
import type { Redactor } from "../../src/redact/redactor.ts";
import { shownParams } from "../../src/wiring/shown-params.ts";

const MARKED = "[REDACTED:key]";

/** Takes `secret` out, and notes what it was given to search. */
function openRedactor() {
  const searched: string[] = [];
  const redactJson = (value: JsonValue) => {
    const text = JSON.stringify(value);
    searched.push(text);
    return { value: JSON.parse(text.replaceAll("secret", MARKED)) as JsonValue };
  };
  return { redactor: { redactJson } as unknown as Redactor, searched };
}

describe("shownParams", () => {
  it("have no secrets, and a lot of text only by its length", () => {
    const { redactor } = openRedactor();
    const [short, long] = ["x".repeat(256), "é".repeat(129)];
    const shown = shownParams({ a: "a secret", b: [short, { c: long }], d: 1 }, redactor);
    expect(shown).toEqual({ a: `a ${MARKED}`, b: [short, { c: "[CONTENT 258 bytes]" }], d: 1 });
  });

  it("are searched for what is shown only: a record that is looked at again and again costs no more by what it is about", () => {
    const { redactor, searched } = openRedactor();
    shownParams({ path: "a.txt", content: "secret ".repeat(1_000_000) }, redactor);
    expect(searched).toEqual(['{"path":"a.txt","content":"[CONTENT 7000000 bytes]"}']);
  });
});
