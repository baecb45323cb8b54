import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeptOutput } from "../../../src/tools/sandboxed/kept-output.ts";
import { redactorFor } from "../../support/redaction.ts";

const opened = (keptMax: number, secrets: Readonly<Record<string, string>> = {}, tailPart?: number) =>
  new KeptOutput(redactorFor(secrets).redactStream(), keptMax, tailPart);

const keptOf = (kept: KeptOutput, chunks: readonly (string | Uint8Array)[]): KeptOutput => {
  for (const chunk of chunks) kept.push(Buffer.from(chunk));
  kept.end();
  return kept;
};

const textOf = (kept: KeptOutput, name: "stdout" | "stderr" = "stdout") => {
  const [item] = kept.content(name);
  return item?.type === "text" ? item.text : item;
};

describe("what is kept of an output", () => {
  it.each([
    ["0123456789", "0123456789", false],
    ["0123456789a", "01234567\n[left out: 1 bytes]\n9a", true],
    ["0123456789abcdef", "01234567\n[left out: 6 bytes]\nef", true],
  ])("of %s", (text, expected, cut) => {
    const kept = keptOf(opened(10), [text]);
    expect([textOf(kept), kept.facts()["cut"], kept.facts()["bytes"]]).toEqual([expected, cut, text.length]);
  });

  it("is nothing where nothing was printed, and says which of the two it is", () => {
    expect(keptOf(opened(10), []).content("stdout")).toEqual([]);
    expect(textOf(keptOf(opened(10), ["x"]), "stderr")).toBe("[stderr]\nx");
  });

  it("shows no half of a code point at a cut", () => {
    const kept = keptOf(opened(12, {}, 0.5), ["aaaaa€bbbbbbbbb€cccc"]);
    expect(textOf(kept)).toBe("aaaaa\n[left out: 12 bytes]\ncccc");
  });

  it("is Base64 where it is no text", () => {
    const bytes = Buffer.from([0, 255, 254]);
    expect(textOf(keptOf(opened(10), [bytes]))).toEqual({
      type: "resource",
      uri: "output:stdout",
      mediaType: "application/octet-stream",
      blob: bytes.toString("base64"),
    });
    expect(keptOf(opened(10), [bytes]).start()).toBeNull();
  });

  it("has no secret in it, also where a cut or a chunk goes through it", () => {
    const secret = "hunter2-hunter2";
    const text = `${"x".repeat(95)}${secret}${"y".repeat(200)}${secret}`;
    for (let size = 1; size <= 8; size++) {
      const chunks = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
      const kept = keptOf(opened(120, { KEY: secret }), chunks);
      expect(JSON.stringify(kept.content("stdout"))).not.toMatch(/hunter|unter2/);
      expect(kept.endText()).not.toMatch(/hunter|unter2/);
    }
  });

  it("only the beginning, where that is wanted", () => {
    const kept = keptOf(opened(4, {}, 0), ["01", "2345", "678"]);
    expect([kept.start(), kept.isCut(), kept.bytes]).toEqual(["0123", true, 9]);
    expect(keptOf(opened(40), ["01", "23"]).start()).toBe("0123");
  });

  it("has the hash of all, as it came, in whatever pieces", () =>
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }), (chunks) => {
        const kept = keptOf(opened(50), chunks);
        const sha256 = createHash("sha256").update(Buffer.concat(chunks)).digest("hex");
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
        expect(kept.facts()).toEqual({ bytes, cut: bytes > 50, sha256 });
      }),
      { numRuns: 100 },
    ));
});
