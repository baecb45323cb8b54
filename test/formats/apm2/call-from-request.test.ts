import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { callFromRequest } from "../../../src/formats/apm2/call-from-request.ts";
import { tool } from "./requests.ts";

const inputOf = (bytes: Uint8Array) => callFromRequest(tool("file_write", { content: bytes })).input;

it.each(["", "plain", "Schlüssel 𝒳\n", "\ufeffwith a byte order mark"])("sends the text %j as text", (text) => {
  const input = inputOf(Buffer.from(text));
  expect(input["content"]).toBe(text);
  expect(input).not.toHaveProperty("encoding");
});

it.each([
  ["a NUL, which JSON would write as six bytes", [0x61, 0, 0x62]],
  ["a byte that is not UTF-8", [0x61, 0xff]],
])("sends bytes with %s as Base64", (_, bytes) => {
  const content = Uint8Array.from(bytes);
  expect(inputOf(content)).toMatchObject({ content: Buffer.from(content).toString("base64"), encoding: "base64" });
});
