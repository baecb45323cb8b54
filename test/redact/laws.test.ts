import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { someOutput, VALUES } from "./arbitrary-output.ts";
import { expectIdempotence, expectSameInPieces } from "./laws.ts";
import { namedSecrets, redactorOf, streamed } from "./samples.ts";

it("gives the same in pieces as at once", () => expectSameInPieces(2000));

it("changes nothing the second time", () => expectIdempotence(2000));

it("F23: lets random bytes through as they are, where they hold nothing", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets(VALUES) });
  const pairs = Buffer.from(Array.from({ length: 2 ** 16 }, (_, pair) => [pair >> 8, pair & 0xff]).flat());
  for (const size of [1, 2, 3, 5, 8, 64]) expect(streamed(redactor, pairs, [size]).equals(pairs)).toBe(true);
  await fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 64 }), (bytes, size) => {
      expect(streamed(redactor, bytes, [size]).equals(bytes)).toBe(true);
    }),
  );
});

it("does not grow without bound", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets(VALUES) });
  const markerLength = "[REDACTED:private-key]".length;
  await fc.assert(
    fc.property(someOutput, (output) => {
      const { bytes, found } = redactor.redactBytes(output);
      const count = found.reduce((sum, rule) => sum + rule.count, 0);
      expect(bytes.length).toBeLessThanOrEqual(output.length + count * markerLength);
      expect(count).toBeLessThanOrEqual(output.length / 6 + 1);
    }),
  );
});
