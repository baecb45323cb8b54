import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Content } from "../../src/domain/outcome.ts";
import { someOutput, VALUES } from "./arbitrary-output.ts";
import { namedSecrets, redactorOf } from "./samples.ts";

const LENGTH = 100_000;

/**
 * A password that is the next option or name itself, which has the next password: each is found by the one before, or is one that finds the
 * next. At the border of two slices both are taken out, and behind it every other one, from there.
 */
const CHAINED =
  /:["']?[^ \t\r\n"'`]{0,256}--(?:proxy-)?user|(?:password|token|secret|key|pwd)["']?[=:] ?["']?[^ \t\r\n"'`]{0,256}(?:password|token|secret|key|pwd)["']?[=:]/i;

/** The same again and again, with something between that keeps it apart or does not. */
const someLongText: fc.Arbitrary<string> = fc
  .tuple(someOutput, fc.constantFrom("", "\n", " ", "\ud800", "x\udc00\n"), fc.integer({ min: 1, max: LENGTH }))
  .map(([output, between, length]) => {
    const piece = `${output.toString()}${between}.`;
    return piece.repeat(Math.ceil(length / piece.length));
  })
  .filter((text) => !CHAINED.test(text));

const asContent: Readonly<Record<string, (text: string) => Content>> = {
  text: (text) => ({ type: "text", text }),
  packed: (text) => ({ type: "image", data: Buffer.from(text).toString("base64"), mediaType: "text/plain" }),
};

const unpacked = (item: Content): Content =>
  item.type === "image" ? (asContent["text"]?.(Buffer.from(item.data, "base64").toString()) ?? item) : item;

/** A stream may have several markers for one secret that is longer than any key. */
const oneMarker = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(?<marker>\[REDACTED:[^\]]*\])\k<marker>+/g, "$<marker>"));

/** What was searched in slices gives what is given at once, whatever the texts are packed in. */
export async function expectSameAhead(numRuns: number): Promise<void> {
  const redactor = await redactorOf({ secrets: namedSecrets(VALUES) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(someLongText, { maxLength: 3 }),
      fc.constantFrom(...Object.values(asContent)),
      fc.array(someOutput, { maxLength: 20 }),
      async (texts, packed, short) => {
        const content = texts.map(packed);
        const structured = { short: short.map(String), password: texts.at(0) ?? "", deep: { texts } };
        const seen = await redactor.ahead([content, structured]);
        // Only texts are searched over the borders of items, so that what is packed is compared item by item.
        const isPacked = content.some(({ type }) => type !== "text");
        const each = content.flatMap((item) => redactor.redactContent([unpacked(item)]).content);
        const whole = redactor.redactResult(content, structured);
        const atOnce = isPacked ? { ...whole, content: each } : whole;
        const ahead = redactor.redactResult(content, structured, seen);
        expect(oneMarker({ ...ahead, content: ahead.content.map(unpacked) })).toEqual(oneMarker(atOnce));
      },
    ),
    { numRuns },
  );
}
