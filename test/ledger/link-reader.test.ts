import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../src/domain/digest.ts";
import { GENESIS_HASH, linkOf, sealEntry } from "../../src/ledger/chain.ts";
import { LinkReader } from "../../src/ledger/link-reader.ts";
import { draftOf, rowsOf } from "./sample-ledger.ts";

/** Pieces of which an entry's end is made, in any order: most are no entries, some nearly are. */
const piece = fc.constantFrom(
  ',"prev":"',
  "0".repeat(64),
  '","project":"',
  "default",
  '"',
  ',"seq":',
  "7",
  "8",
  ',"sessionId":"',
  "s",
  '","v":1}',
);
const soup = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
const whole = fc.record({ project: soup, sessionId: soup, seq: fc.constantFrom(7, 8) }).map(
  ({ project, sessionId, seq }) =>
    // As nobody of us would write it: without escaping.
    `{,"prev":"${"0".repeat(64)}","project":"${project}","seq":${seq},"sessionId":"${sessionId}","v":1}`,
);

describe("reading links one after the other", () => {
  it("says of each entry what it says of itself", () => {
    const reader = new LinkReader();
    let prev: Digest | null = null;
    for (const { seq, hash, text } of rowsOf(20)) {
      expect(reader.read(Buffer.from(text), seq, prev)).toEqual(linkOf(text));
      prev = hash;
    }
  });

  it("does not take what is expected for what is there", () => {
    const reader = new LinkReader();
    const text = (seq: number, prev: Digest) => Buffer.from(sealEntry(draftOf(1), seq, prev).text);
    const [one, two] = [digestOfText("one"), digestOfText("two")];
    expect(reader.read(text(1, GENESIS_HASH), 1, GENESIS_HASH)).toEqual({ seq: 1, prev: GENESIS_HASH });
    expect(reader.read(text(2, one), 2, one)).toEqual({ seq: 2, prev: one });
    expect(reader.read(text(4, one), 3, one)).toEqual({ seq: 4, prev: one });
    expect(reader.read(text(3, two), 3, one)).toEqual({ seq: 3, prev: two });
    expect(reader.read(Buffer.from(text(3, one).toString().replace('"v":1}', '"v":2}')), 3, one)).toBeNull();
    expect(reader.read(Buffer.alloc(0), 3, one)).toBeNull();
  });

  it("says what `linkOf` says, whatever came before", () => {
    void fc.assert(
      fc.property(fc.array(fc.oneof(soup, whole), { minLength: 1, maxLength: 6 }), (texts) => {
        const reader = new LinkReader();
        for (const text of texts) expect(reader.read(Buffer.from(text), 7, GENESIS_HASH)).toEqual(linkOf(text));
      }),
      { numRuns: 2000 },
    );
  });
});
