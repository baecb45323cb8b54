import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { textOrBase64 } from "../../src/redact/text-or-base64.ts";

it.each([
  ["text", "Grüße\r\n", "text"],
  ["nothing", "", "text"],
  ["a byte order mark", "\ufeffa", "text"],
  ["NUL", "a\0b", "base64"],
])("tells %s", (_, text, encoding) => expect(textOrBase64(Buffer.from(text)).encoding).toBe(encoding));

it("F23: loses no byte", () => {
  void fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const shown = textOrBase64(bytes);
        const back = shown.encoding === "text" ? Buffer.from(shown.text) : Buffer.from(shown.data, "base64");
        expect(back.equals(bytes)).toBe(true);
      },
    ),
  );
});
