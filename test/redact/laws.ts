import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect } from "vitest";
import { someOutput, someSizes, VALUES } from "./arbitrary-output.ts";
import { namedSecrets, redactorOf, streamed } from "./samples.ts";

const options = { secrets: namedSecrets(VALUES), patterns: [{ name: "digits", pattern: "[0-9]{7,}|ü+" }] };

/** However a stream is cut, it gives what the whole gives at once. */
export async function expectSameInPieces(numRuns: number): Promise<void> {
  const redactor = await redactorOf(options);
  await fc.assert(
    fc.property(someOutput, someSizes, (output, sizes) => {
      expect(streamed(redactor, output, sizes).toString("latin1")).toBe(
        Buffer.from(redactor.redactBytes(output).bytes).toString("latin1"),
      );
    }),
    { numRuns },
  );
}

/** `redact(redact(x)) = redact(x)`, as bytes, as text and as a stream. */
export async function expectIdempotence(numRuns: number): Promise<void> {
  const redactor = await redactorOf(options);
  await fc.assert(
    fc.property(someOutput, someSizes, (output, sizes) => {
      const { bytes } = redactor.redactBytes(output);
      expect(Buffer.from(redactor.redactBytes(bytes).bytes).equals(bytes)).toBe(true);
      expect(streamed(redactor, bytes, sizes).equals(bytes)).toBe(true);

      const { text } = redactor.redactText(output.toString());
      expect(redactor.redactText(text)).toEqual({ text, found: [] });
    }),
    { numRuns },
  );
}
