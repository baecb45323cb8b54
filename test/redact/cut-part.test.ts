import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REACH_BYTES } from "../../src/redact/cut-part.ts";
import { redactorFor } from "../support/redaction.ts";

const SECRET = "Zx9Kq7Lm2Pw4Rt8Vb6Nc1Yd3Hf5Jg0Sa";
const MARK = "[REDACTED:S]";
const redactor = redactorFor({ S: SECRET });

function cut(text: string, from: number, to: number): string {
  const bytes = Buffer.from(text);
  const neighbours = { before: bytes.subarray(0, from), after: bytes.subarray(to) };
  return Buffer.from(redactor.redactCut(bytes.subarray(from, to), neighbours)).toString();
}

describe("a part that was cut out", () => {
  const text = `before ${SECRET} behind`;
  const [start, end] = [7, 7 + SECRET.length];

  it.each<[string, number, number, string]>([
    ["before it", 0, start, "before "],
    ["behind it", end, text.length, " behind"],
    ["with its head", 0, start + 1, `before ${MARK}`],
    ["with its tail", end - 1, text.length, `${MARK} behind`],
    ["from the middle of it", start + 5, end - 5, MARK],
    ["all of it, which whoever redacts the part finds", 0, text.length, text],
    ["nothing", start + 5, start + 5, ""],
  ])("%s", (_, from, to, expected) => expect(cut(text, from, to)).toBe(expected));

  it("is itself where nothing is cut, without a copy", () => {
    const part = Buffer.from("plain");
    expect(redactor.redactCut(part, { before: Buffer.from("a "), after: Buffer.from(" b") })).toBe(part);
  });

  it("of any two gives away no eight characters, wherever the cut is and however long they are", () => {
    const fill = fc.nat({ max: 3 }).map((times) => "-\n".repeat((times * REACH_BYTES) / 2));
    fc.assert(
      fc.property(fill, fill, fc.nat({ max: SECRET.length }), (head, tail, into) => {
        const whole = `${head}${SECRET}${tail}`;
        const at = head.length + into;
        const read = `${redactor.text(cut(whole, 0, at))}|${redactor.text(cut(whole, at, whole.length))}`;
        for (let i = 0; i + 8 <= SECRET.length; i++) expect(read.includes(SECRET.slice(i, i + 8))).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});
