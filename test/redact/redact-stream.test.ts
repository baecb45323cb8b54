import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { MATCH_BYTES_MAX } from "../../src/redact/format-rule.ts";
import { made, namedSecrets, PRIVATE_KEY, redactorOf, streamed } from "./samples.ts";

const VALUE = made(40);
const redactor = await redactorOf({ secrets: namedSecrets({ KNOWN: VALUE }) });

it("lets whole lines out at once", () => {
  const stream = redactor.redactStream();
  const pushed = (text: string): string => Buffer.concat(stream.push(Buffer.from(text))).toString();
  expect(pushed("one line\nand ")).toBe("one line\n");
  expect(pushed("password=hun")).toBe("");
  expect(pushed("ter2")).toBe("");
  expect(pushed("\r")).toBe("and password=[REDACTED:password]\r");
  expect(pushed("rest")).toBe("");
  expect(Buffer.from(stream.end()).toString()).toBe("rest");
  expect(stream.found).toEqual([{ rule: "password", count: 1 }]);
});

it("holds back only what may become a known value, where no shapes are looked for", async () => {
  const stream = (await redactorOf({ secrets: namedSecrets({ KNOWN: VALUE }), builtin: "off" })).redactStream();
  const pushed = (text: string): string => Buffer.concat(stream.push(Buffer.from(text))).toString();
  expect(pushed("Continue? ")).toBe("Continue? ");
  expect(pushed(VALUE.slice(0, 30))).toBe("");
  expect(pushed("!")).toBe(`${VALUE.slice(0, 30)}!`);
});

it("lets all through where nothing is to be redacted", async () => {
  const idle = await redactorOf({ builtin: "off" });
  expect(streamed(idle, Buffer.from("password=hunter2"), [3]).toString()).toBe("password=hunter2");
});

it("keeps nothing in the caller's buffer", () => {
  const stream = redactor.redactStream();
  const buffer = Buffer.from("held back");
  stream.push(buffer);
  buffer.fill("x");
  expect(Buffer.from(stream.end()).toString()).toBe("held back");
});

it.each([1, 13, 64, 1000])("redacts a private key that comes in pieces of %i bytes", (size) => {
  const out = streamed(redactor, Buffer.from(`cat key\n${PRIVATE_KEY}done\n`), [size]).toString();
  expect(out).toBe("cat key\n[REDACTED:private-key]\ndone\n");
});

it.each([1000, 65_536])("finds secrets anywhere in a line of 300 KB, in pieces of %i bytes", (size) => {
  const filler = "word ".repeat(2000);
  const line = Array.from(
    { length: 30 },
    (_, index) => `${filler}TOKEN=7${made(20, "alnum", index + 1)} ${VALUE}`,
  ).join("");
  const out = streamed(redactor, Buffer.from(line), [size]).toString();
  expect(out).toBe(redactor.redactText(line).text);
  expect(out.match(/\[REDACTED:token\]/g)).toHaveLength(30);
});

it("A31, F22: keeps no more than a bounded part, whatever comes", () => {
  for (const text of [
    "a",
    "\n",
    "-----BEGIN PRIVATE KEY-----\nAAAA\n",
    "eyJ",
    VALUE.slice(0, 39),
    `${VALUE}\n`,
    "password=",
  ]) {
    const stream = redactor.redactStream();
    const chunk = Buffer.from(text.repeat(Math.ceil(10_000 / text.length)));
    let out = 0;
    for (let round = 0; round < 50; round++) {
      for (const part of stream.push(chunk)) out += part.length;
    }
    const kept = stream.end().length;
    expect(out, text).toBeGreaterThan(0);
    expect(kept, text).toBeLessThan(3 * MATCH_BYTES_MAX);
  }
});

it("redacts what an operator's pattern means of a line to the line's end, however long it is", async () => {
  const own = await redactorOf({ patterns: [{ name: "OWN", pattern: "begin:.*" }] });
  const text = `a\nfirst begin:${"secret words ".repeat(20_000)}\nb begin: secret\nc`;
  for (const size of [1000, 16_384, 100_000])
    expect(streamed(own, Buffer.from(text), [size]).toString()).toBe(own.redactText(text).text);
});

it("leaves nothing out without a mark where a pattern takes the part of a line for a line", async () => {
  const own = await redactorOf({ patterns: [{ name: "OWN", pattern: "^[a-z ]+$" }] });
  const text = `0${"plain words ".repeat(20_000)}1\nlast 2`;
  for (const size of [1000, 16_384]) expect(streamed(own, Buffer.from(text), [size]).toString()).toBe(text);
});
