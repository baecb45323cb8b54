import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { made, namedSecrets, redactorOf, streamed } from "./samples.ts";

const SECRET = made(24);
const ALL = Buffer.from(Array.from({ length: 65_536 }, (_, index) => [index >> 8, index & 255]).flat());
const PARTS = [Buffer.from([0xff, 0xfe, 0, 0xc3]), Buffer.from("é\r\n🔑\0"), Buffer.from([0xe2, 0x80])];

it.each([1, 2, 3, 4, 5, 6, 7, 8])("F23: bytes of any kind come out as they went in, in pieces of %i", async (size) => {
  const redactor = await redactorOf({ secrets: namedSecrets({ KEY: SECRET }), builtin: "off" });
  expect(streamed(redactor, ALL, [size]).equals(ALL)).toBe(true);
  const [before = ALL, middle = ALL, after = ALL] = PARTS;
  const given = Buffer.concat([before, Buffer.from(SECRET), middle, Buffer.from(SECRET), after]);
  const wanted = Buffer.concat([before, Buffer.from("[REDACTED:KEY]"), middle, Buffer.from("[REDACTED:KEY]"), after]);
  expect(streamed(redactor, given, [size]).equals(wanted)).toBe(true);
});
