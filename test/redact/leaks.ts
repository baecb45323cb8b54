import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Redactor } from "../../src/redact/redactor.ts";
import { made, namedSecrets, PRIVATE_KEY, redactorOf, streamed } from "./samples.ts";

export const SECRETS: Readonly<Record<string, string>> = {
  ALNUM: made(40),
  SIGNS: `p@ss/w+rd "q" <&> %\\ ${made(12, "alnum", 3)}`,
  FOREIGN: `Schlüssel-Ω-${made(10, "alnum", 4)}-𝒳`,
  SHORT: made(9, "alnum", 5),
  LONG: made(700, "alnum", 6),
  KEY_FILE: PRIVATE_KEY,
};

const LEAK_LENGTH = 8;
const LONG_TEXT = 2000;

interface Encoded {
  readonly text: string;
  /** The part of the text that the secret alone gives. */
  readonly own: string;
}

interface Encoding {
  readonly name: string;
  /** The text around the value is encoded with it. */
  readonly encode: (before: string, value: string, after: string) => Encoded;
}

const plain = (name: string, form: (value: string) => string): Encoding => ({
  name,
  encode: (before, value, after) => ({ text: before + form(value) + after, own: form(value) }),
});
const packed = (name: string, bitsPerDigit: 4 | 6, form: (bytes: Buffer) => string): Encoding => ({
  name,
  encode: (before, value, after) => {
    const text = form(Buffer.from(before + value + after));
    const [start, end] = [Buffer.byteLength(before), Buffer.byteLength(before + value)];
    const digits = text.replace(/[\r\n]/g, () => "");
    return { text, own: digits.slice(Math.ceil((start * 8) / bitsPerDigit), Math.floor((end * 8) / bitsPerDigit)) };
  },
});
const bytewise = (value: string, write: (hex: string) => string): string =>
  Array.from(Buffer.from(value), (byte) => write(byte.toString(16).padStart(2, "0"))).join("");
const unitwise = (value: string, write: (unit: number) => string): string =>
  Array.from({ length: value.length }, (_, at) => write(value.charCodeAt(at))).join("");
const characterwise = (value: string, write: (code: number) => string): string =>
  Array.from(value, (character) => write(character.codePointAt(0) ?? 0)).join("");
const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

export const ENCODINGS: readonly Encoding[] = [
  plain("raw", (value) => value),
  packed("base64", 6, (bytes) => bytes.toString("base64")),
  packed("base64, no padding", 6, (bytes) => bytes.toString("base64").replace(/=+$/, () => "")),
  packed("base64url", 6, (bytes) => bytes.toString("base64url")),
  packed("base64, wrapped", 6, (bytes) => bytes.toString("base64").replace(/.{76}/g, (line) => `${line}\r\n`)),
  packed("hex", 4, (bytes) => bytes.toString("hex")),
  packed("HEX", 4, (bytes) => bytes.toString("hex").toUpperCase()),
  plain("url", encodeURIComponent),
  plain("url, lower case", (value) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())),
  plain("url, form", (value) => new URLSearchParams({ v: value }).toString().slice(2)),
  plain("json", escaped),
  plain("json in json", (value) => escaped(escaped(value))),
  plain("url, all of it", (value) => bytewise(value, (hex) => `%${hex.toUpperCase()}`)),
  plain("\\x", (value) => bytewise(value, (hex) => `\\x${hex}`)),
  plain("octal", (value) => bytewise(value, (hex) => `\\${Number.parseInt(hex, 16).toString(8).padStart(3, "0")}`)),
  plain("\\u", (value) => unitwise(value, (unit) => `\\u${unit.toString(16).padStart(4, "0")}`)),
  plain("\\U", (value) => unitwise(value, (unit) => `\\u${unit.toString(16).padStart(4, "0").toUpperCase()}`)),
  plain("&#", (value) => characterwise(value, (code) => `&#${code};`)),
  plain("&#x", (value) => characterwise(value, (code) => `&#x${code.toString(16).toUpperCase()};`)),
  plain("hex with colons", (value) => bytewise(value, (hex) => `:${hex}`).slice(1)),
];

function* partsOf(text: string): Generator<string> {
  for (let at = 0; at + LEAK_LENGTH <= text.length; at++) yield text.slice(at, at + LEAK_LENGTH);
}

interface Case {
  readonly secret: string;
  readonly encoding: Encoding;
  readonly before: string;
  readonly after: string;
  readonly sizes: readonly number[];
}

const someText = fc.string({ unit: fc.constantFrom("z", "Z", ".", " ", "\n", "0", "=", "%"), maxLength: 70 });
const someCase: fc.Arbitrary<Case> = fc.record({
  secret: fc.constantFrom(...Object.values(SECRETS)),
  encoding: fc.constantFrom(...ENCODINGS),
  before: someText,
  after: someText,
  sizes: fc.oneof(
    fc.integer({ min: 1, max: 64 }).map((size) => [size]),
    fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 40 }),
  ),
});

/** In whatever form and however cut, no 8 characters of a secret get out. */
export async function expectNoLeaks(numRuns: number): Promise<void> {
  const redactor = await redactorOf({ secrets: namedSecrets(SECRETS) });
  await fc.assert(
    fc.property(someCase, (given) => expectNoLeak(redactor, given)),
    { numRuns },
  );
}

function expectNoLeak(redactor: Redactor, { secret, encoding, before, after, sizes }: Case): void {
  const { text, own } = encoding.encode(before, secret, after);
  const around = encoding.encode(before, "", after).text;
  // A value of which more may follow is searched again with each piece: a long form in single bytes would take minutes.
  const pieces = text.length > LONG_TEXT ? sizes.map((size) => Math.max(size, 32)) : sizes;
  const out = streamed(redactor, Buffer.from(text), pieces).toString();
  const seen = out.replace(/[\r\n]/g, () => "");
  for (const part of partsOf(own.replace(/[\r\n]/g, () => ""))) {
    if (seen.includes(part) && !around.includes(part)) expect.fail(`${encoding.name}: ${part} gets out in ${out}`);
  }
  expect(out).toContain("[REDACTED:");
}

/** Every secret in this encoding, at three places, cut in pieces of each of these sizes. */
export async function expectFoundInPieces(
  encoding: (typeof ENCODINGS)[number],
  sizes: readonly number[],
): Promise<void> {
  const redactor = await redactorOf({ secrets: namedSecrets(SECRETS) });
  for (const secret of Object.values(SECRETS)) {
    for (const size of secret.length > 100 ? [1, 7, 64] : sizes) {
      for (const before of ["", "x", "xy"])
        expectNoLeak(redactor, { secret, encoding, before, after: "!", sizes: [size] });
    }
  }
}
