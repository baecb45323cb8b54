import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { ENCODINGS, expectNoLeak, expectNoLeaks, SECRETS } from "./leaks.ts";
import { namedSecrets, redactorOf, streamed } from "./samples.ts";

it("lets no part of a secret out, in 500 random streams", () => expectNoLeaks(500));

it.each(ENCODINGS)("A21: finds each secret as $name, cut in pieces of 1 to 64 bytes", async (encoding) => {
  const redactor = await redactorOf({ secrets: namedSecrets(SECRETS) });
  for (const secret of Object.values(SECRETS)) {
    for (const size of secret.length > 100 ? [1, 7, 64] : Array.from({ length: 64 }, (_, index) => index + 1)) {
      for (const before of ["", "x", "xy"])
        expectNoLeak(redactor, { secret, encoding, before, after: "!", sizes: [size] });
    }
  }
});

it("lets the same text out if the secret is another", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets({ OTHER: "quite another value" }), builtin: "off" });
  for (const { encode } of ENCODINGS) {
    const text = Buffer.from(encode("a", SECRETS["ALNUM"] ?? "", "b").text);
    expect(streamed(redactor, text, [5])).toEqual(text);
  }
});
