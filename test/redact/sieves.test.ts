import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FORMAT_RULES } from "../../src/redact/format-finder.ts";
import { KeywordSieve } from "../../src/redact/keyword-sieve.ts";
import { KnownValues } from "../../src/redact/known-values.ts";
import { someOutput } from "./arbitrary-output.ts";
import { ENCODINGS, SECRETS } from "./leaks.ts";
import { namedSecrets, redactorOf } from "./samples.ts";

describe("the sieve for keywords", () => {
  const sieve = new KeywordSieve(["ghp_", "://", "password"]);

  it.each(["ghp_", "xGHP_x", "a://b", "PassWord", "…password", "pas password"])("lets %s through", (text) =>
    expect(sieve.mayHold(text)).toBe(true),
  );
  it.each(["", "gh", "gh_p", ":/", "passwor", "pass word", "ｐassword"])("stops %s", (text) =>
    expect(sieve.mayHold(text)).toBe(false),
  );
  it("takes no word of two characters", () => expect(() => new KeywordSieve(["q~"])).toThrow(/fewer than 3/));
  it("takes all keywords of the rules", () => {
    const all = new KeywordSieve(FORMAT_RULES.flatMap(({ keywords }) => keywords));
    for (const { keywords } of FORMAT_RULES)
      for (const keyword of keywords) expect(all.mayHold(`.${keyword.toUpperCase()}.`)).toBe(true);
  });
});

describe("the sieve for known values", () => {
  const known = new KnownValues(namedSecrets(SECRETS));

  it.each(ENCODINGS)("lets every secret through: $name", ({ encode }) => {
    for (const secret of Object.values(SECRETS))
      for (const before of ["", "x", "xy", "x\n\n"])
        expect(known.mayFind(encode(before, secret, "!").text), secret).toBe(true);
  });

  it("does not count line breaks", () => {
    const value = SECRETS["ALNUM"] as string;
    expect(known.mayFind(`${value.slice(0, 3)}\r\n${value.slice(3)}`)).toBe(true);
  });

  it.each(["", "an ordinary line of text", "0123456789".repeat(50)])("stops %s", (text) => {
    const ascii = new KnownValues(namedSecrets({ A: SECRETS["ALNUM"] as string }));
    expect(ascii.mayFind(text)).toBe(false);
    expect(ascii.mayFind(`ü${text}`)).toBe(false);
  });

  it("is idle without secrets", () => expect(new KnownValues([]).mayFind("anything")).toBe(false));
});

it("a text that a sieve stops holds nothing: with sieves and without is the same", async () => {
  const redactor = await redactorOf({ secrets: namedSecrets(SECRETS) });
  await fc.assert(
    fc.property(someOutput, (output) => {
      const text = output.toString();
      // Bytes go through no sieve.
      expect(redactor.redactText(text).text).toBe(
        Buffer.from(redactor.redactBytes(Buffer.from(text)).bytes).toString(),
      );
    }),
    { numRuns: 500 },
  );
});
