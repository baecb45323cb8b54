import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/doors/wire/lines-of.ts";

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const lines = async (text: string, { size = 3, bytesMax = 1000 } = {}) =>
  (await Array.fromAsync(linesOf(inPieces(text, size), bytesMax))).map(({ number, bytes }) => [
    number,
    bytes === null ? null : Buffer.from(bytes).toString(),
  ]);

describe("the lines of a file in pieces", () => {
  it.each<[string, [number, string][]]>([
    ["", []],
    ["a", [[1, "a"]]],
    ["a\n", [[1, "a"]]],
    ["\n", [[1, ""]]],
    [
      "a\n\nb",
      [
        [1, "a"],
        [2, ""],
        [3, "b"],
      ],
    ],
    [
      "é\r\n\u2028x\n",
      [
        [1, "é\r"],
        [2, "\u2028x"],
      ],
    ],
  ])("%j", async (text, expected) => expect(await lines(text)).toEqual(expected));

  it("are the same whatever the pieces", async () => {
    const some = fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r") });
    await fc.assert(
      fc.asyncProperty(some, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        const wanted = text.split("\n");
        if (wanted.at(-1) === "") wanted.pop();
        expect((await lines(text, { size })).map(([, line]) => line)).toEqual(wanted);
      }),
    );
  });

  it("one that is too long is none, and the next is whole again", async () => {
    expect(await lines("abcd\nabcde\nab", { bytesMax: 4 })).toEqual([
      [1, "abcd"],
      [2, null],
      [3, "ab"],
    ]);
    expect(await lines("abcdefgh", { bytesMax: 4 })).toEqual([[1, null]]);
  });
});
