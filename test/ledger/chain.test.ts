import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/domain/canonical-json.ts";
import { type Digest, digestOf, digestOfText } from "../../src/domain/digest.ts";
import type { EntryDraft } from "../../src/domain/entry.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { entryFromText, GENESIS_HASH, linkOf, sealEntry } from "../../src/ledger/chain.ts";
import { draftOf, rowsOf } from "./sample-ledger.ts";

const text = fc.string({ unit: "grapheme" });
const digest = fc.string().map(digestOfText);
const body = fc.dictionary(text, fc.jsonValue()).map((value): JsonObject => JSON.parse(JSON.stringify(value)));
const draft: fc.Arbitrary<EntryDraft> = fc.record({
  at: text,
  kind: fc.constantFrom("tool.requested", "approval.answered", "tool.decided"),
  project: text,
  sessionId: text,
  callId: text,
  actor: text,
  planDigest: fc.option(digest),
  body: body.filter((value) => JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/.test(JSON.stringify(value))),
});
const seq = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe("sealEntry", () => {
  it("writes the canonical JSON of all fields but the hash, and hashes it", () => {
    void fc.assert(
      fc.property(draft, seq, digest, (draft, seq, prev) => {
        const sealed = sealEntry(draft, seq, prev);
        const whole = { ...draft, seq, prev, v: 1 };
        expect(sealed.text).toBe(canonicalJson(whole));
        expect(sealed.hash).toBe(digestOf(whole));
      }),
    );
  });

  it("refuses a text that has no canonical form", () => {
    expect(() => sealEntry({ ...draftOf(1), actor: "\ud800" }, 1, GENESIS_HASH)).toThrow(TypeError);
  });
});

describe("entryFromText", () => {
  it("gives back what was sealed", () => {
    void fc.assert(
      fc.property(draft, seq, digest, (draft, seq, prev) => {
        const { text, hash } = sealEntry(draft, seq, prev);
        expect(canonicalJson(entryFromText(text, hash))).toBe(canonicalJson({ ...draft, seq, prev, hash, v: 1 }));
      }),
    );
  });
});

describe("linkOf", () => {
  it("reads what parsing would read, whatever the entry holds", () => {
    void fc.assert(
      fc.property(draft, seq, digest, (draft, seq, prev) => {
        expect(linkOf(sealEntry(draft, seq, prev).text)).toEqual({ seq, prev });
      }),
    );
  });

  it("is not led astray by texts and members that look like the link", () => {
    for (const { text, seq } of rowsOf(10)) expect(linkOf(text)).toMatchObject({ seq, prev: JSON.parse(text).prev });
    const quoting = { ...draftOf(1), sessionId: sealEntry(draftOf(2), 2, GENESIS_HASH).text };
    expect(linkOf(sealEntry(quoting, 7, digestOfText("x")).text)).toEqual({ seq: 7, prev: digestOfText("x") });
    const ending = { ...draftOf(1), actor: "\\", project: "\\", sessionId: '\\","v":1}' };
    expect(linkOf(sealEntry(ending, 7, digestOfText("x")).text)?.seq).toBe(7);
  });

  it.each([
    ["nothing", ""],
    ["no entry", "{}"],
    ["a cut text", sealEntry(draftOf(1), 1, GENESIS_HASH).text.slice(0, -1)],
    ["a short prev", sealEntry(draftOf(1), 1, "abc" as Digest).text],
    ["a seq of 0", sealEntry(draftOf(1), 0, GENESIS_HASH).text],
    ["a fraction", sealEntry(draftOf(1), 1.5, GENESIS_HASH).text],
    [
      "another spelling of a number",
      sealEntry(draftOf(1), 7, GENESIS_HASH).text.replace(/"seq":7,"sess/, '"seq":07,"sess'),
    ],
    ["no prev", sealEntry(draftOf(1), 1, GENESIS_HASH).text.replace(/.*"prev":/, '{"next":')],
    ["no seq", '{"sessionId":"x","v":1}'],
    ["only a session", '{"a":1,"sessionId":"x","v":1}'],
  ])("gives null for %s", (_, text) => {
    expect(linkOf(text)).toBeNull();
  });
});
