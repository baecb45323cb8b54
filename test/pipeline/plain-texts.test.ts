import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content } from "../../src/domain/outcome.ts";
import { plainTexts } from "../../src/pipeline/plain-texts.ts";
import { redaction } from "../support/redaction.ts";

const SECRET = "plain-texts-secret";
const { redactor } = redaction({ KEY: SECRET });

const text = (said: unknown): Content => ({ type: "text", text: said }) as Content;
const texts = (...said: unknown[]): readonly Content[] => said.map(text);

describe("plain texts", () => {
  it("are copied, so that the tool's own objects can change", () => {
    const given = texts("one", "two");
    const own = plainTexts(given, redactor);
    (given[0] as { text: string }).text = "changed";
    expect(own).toEqual(texts("one", "two"));
  });

  it.each<[string, (given: Content[], hold: (own: unknown[]) => unknown) => readonly Content[]]>([
    ["slices itself", (given, hold) => Object.assign(given, { slice: () => hold(given) })],
    [
      "makes others like itself",
      (given, hold) => {
        class Held extends Array<Content> {
          constructor(...items: Content[]) {
            super(...items);
            hold(this);
          }
        }
        return Held.from(given);
      },
    ],
  ])("are in no list that the tool holds: one that %s", (_, make) => {
    const held: unknown[][] = [];
    const own = plainTexts(
      make([...texts("one", "two")], (list) => {
        held.push(list);
        return list;
      }),
      redactor,
    );
    for (const list of held) list[0] = text(SECRET);
    expect(own).toEqual(texts("one", "two"));
    expect(own?.constructor).toBe(Array);
  });

  it("are in a list, and nothing else that has a length", () =>
    expect(plainTexts({ length: 1, 0: text("a") } as unknown as readonly Content[], redactor)).toBeNull());

  it("are without secrets", () =>
    expect(plainTexts(texts(`a ${SECRET} b`), redactor)).toEqual(texts("a [REDACTED:KEY] b")));

  it("say what redacting all members says", () =>
    void fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constant(`x${SECRET}y`))), (said) => {
        const given = texts(...said);
        expect(plainTexts(given, redactor)).toEqual(redactor.redactContent(given).content);
      }),
    ));

  it("are none where there are none", () => expect(plainTexts([], redactor)).toEqual([]));

  it.each<[string, readonly unknown[]]>([
    ["a picture", [{ type: "image", mediaType: "image/png", data: "" }]],
    ["a text among others that is none", [text("a"), { type: "resource", uri: "a:b" }]],
    ["a member that is not ours", [{ type: "text", text: "a", audience: ["user"] }]],
    ["an inherited member", [Object.assign(Object.create({ audience: 1 }), { type: "text", text: "a" })]],
    ["no text", [{ type: "text" }]],
    ["a number", [text(1)]],
    ["no item at all", [null]],
    ["a word", ["text"]],
    ["a gap", [undefined]],
  ])("are not %s", (_, given) => expect(plainTexts(given as readonly Content[], redactor)).toBeNull());

  it.each([
    ["up to 16 KB, an item counting for 16", texts("a".repeat(16_368)), true],
    ["not more", texts("a".repeat(16_369)), false],
    ["taken together", texts("a".repeat(8000), "b".repeat(8400)), false],
    ["and many empty ones are too many", texts(...Array<string>(1025).fill("")), false],
    ["but 1,024 are not", texts(...Array<string>(1024).fill("")), true],
  ])("are short: %s", (_, given, isShort) => expect(plainTexts(given, redactor) !== null).toBe(isShort));

  it("are as long as they are without secrets", () => {
    const short = redaction({ ["N".repeat(64)]: "xyzzyq" }).redactor;
    expect(plainTexts(texts("xyzzyq ".repeat(300)), short)).toBeNull();
  });
});
