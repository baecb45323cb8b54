import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { ENCODINGS, expectFoundInPieces, expectNoLeaks, SECRETS } from "./leaks.ts";
import { namedSecrets, redactorOf, streamed } from "./samples.ts";

it("lets no part of a secret out, in 60 random streams", () => expectNoLeaks(60));

it.each(ENCODINGS)("A21: finds each secret as $name, cut in pieces of up to 64 bytes", (encoding) =>
  expectFoundInPieces(encoding, [1, 8, 64]),
);

it("lets the same text out if the secret is another", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets({ OTHER: "quite another value" }), builtin: "off" });
  for (const { encode } of ENCODINGS) {
    const text = Buffer.from(encode("a", SECRETS["ALNUM"] ?? "", "b").text);
    expect(streamed(redactor, text, [5])).toEqual(text);
  }
});
