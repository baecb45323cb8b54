import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Files } from "../../../src/ports/files.ts";
import { readFileTool } from "../../../src/tools/builtin/read-file.ts";
import { openScratch, SENTINEL } from "../../files/scratch.ts";
import { redactorFor } from "../../support/redaction.ts";
import { codeOf, contentOf, messageOf, textOf, touchesOf, useTool } from "./use-tool.ts";

/** Of nobody's key. */
const PRIVATE_KEY_LINES = [
  "MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBALRiMLAHudeSA2ai",
  "fQxgOv8hLk2iMwTn4oY0xqUuV9cZbWm3sPzEr6dKtGjHfN1aXyQ5oR7vC2uBiTkL",
  "mZ0pW8eJxD4hYgVnA6sQrFtUcIbKzOlXwM3PdEjRa5N9uGyB7oTvHiCq1fLkSxZm",
];

const LINES = "one\ntwo\r\nthree";

/** Of `one\ntwo\r\nthree`. */
const RANGES: [object, string][] = [
  [{}, LINES],
  [{ startLine: 1 }, LINES],
  [{ startLine: 2 }, "two\r\nthree"],
  [{ startLine: 2, endLine: 2 }, "two\r\n"],
  [{ endLine: 1 }, "one\n"],
  [{ endLine: 99 }, LINES],
  [{ startLine: 3, endLine: 3 }, "three"],
  [{ startLine: 4 }, ""],
  [{ offset: 4 }, "two\r\nthree"],
  [{ offset: 4, limit: 3 }, "two"],
  [{ limit: 3 }, "one"],
  [{ offset: LINES.length }, ""],
];

const BAD_RANGES: [object, string, string][] = [
  [{ startLine: 5 }, "INVALID_OFFSET", "`a.txt` has no line 5"],
  [{ offset: LINES.length + 1 }, "INVALID_OFFSET", "`a.txt` has no offset `15`"],
  [{ startLine: 0 }, "INVALID_ARGUMENTS", "`startLine` must be at least 1, not 0"],
  [{ startLine: 3, endLine: 2 }, "INVALID_ARGUMENTS", "`endLine` must be at least 3"],
  [{ startLine: 1, offset: 0 }, "INVALID_ARGUMENTS", "lines and bytes can't be asked for together"],
  [{ endLine: 1, limit: 1 }, "INVALID_ARGUMENTS", "lines and bytes can't be asked for together"],
  [{ limit: 0 }, "INVALID_ARGUMENTS", "`limit` must be at least 1, not 0"],
];

describe("read_file", () => {
  const SECRET = "Zx9Kq7Lm2Pw4Rt8Vb6Nc1Yd3Hf5Jg0Sa";
  const TOKEN = `ghp_${"aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1b2C"}`;
  const KEY = ["-----BEGIN PRIVATE KEY-----", ...PRIVATE_KEY_LINES, "-----END PRIVATE KEY-----", ""].join("\n");
  const redactor = redactorFor({ S: SECRET });

  /** All that a caller gets of a file who reads it in two parts, which are then redacted as any result is. */
  async function inTwo(files: Files, at: number, whole: number): Promise<string> {
    const tool = readFileTool({ files, redactor });
    const first = at === 0 ? "" : textOf(await useTool(tool, { path: "a", offset: 0, limit: at }));
    const second = at === whole ? "" : textOf(await useTool(tool, { path: "a", offset: at }));
    return `${redactor.text(first)}|${redactor.text(second)}`;
  }

  it.each([
    ["a value that is known", SECRET],
    ["one in Base64", Buffer.from(SECRET).toString("base64")],
    ["one that looks like a secret", TOKEN],
  ])("gives nothing away of %s, wherever the file is cut in two", async (_, secret) => {
    using scratch = openScratch();
    const text = `before ${secret} behind`;
    scratch.put("a", text);
    for (let at = 0; at <= text.length; at++) {
      const read = await inTwo(scratch.files, at, text.length);
      for (let i = 0; i + 8 <= secret.length; i++) expect(read).not.toContain(secret.slice(i, i + 8));
      expect(read.startsWith("before ".slice(0, at))).toBe(true);
      expect(read.endsWith(" behind".slice(-Math.max(1, text.length - at)))).toBe(at < text.length);
    }
  });

  it("gives nothing away of what only the text before it shows to be a secret", async () => {
    using scratch = openScratch();
    const value = "c0rrect-h0rse-b4ttery";
    scratch.put("a", `x\nDB_PASSWORD=${value}\ny\n`);
    const at = `x\nDB_PASSWORD=`.length;
    expect(await inTwo(scratch.files, at, 99)).not.toContain(value);
    expect(await inTwo(scratch.files, at + 3, 99)).not.toContain(value.slice(3));
  });

  it("gives no line of a private key, and no byte from the middle of it", async () => {
    using scratch = openScratch();
    scratch.put("a", `one\n${KEY}last\n`);
    const tool = readFileTool({ files: scratch.files, redactor });
    const ranges = [{ startLine: 3, endLine: 3 }, { startLine: 3 }, { endLine: 4 }, { offset: 60, limit: 50 }];
    for (const range of ranges) {
      const read = textOf(await useTool(tool, { path: "a", ...range }));
      for (const line of PRIVATE_KEY_LINES) expect(read).not.toContain(line.slice(0, 12));
      expect(read).toContain("[REDACTED:");
    }
    expect(textOf(await useTool(tool, { path: "a", startLine: 1, endLine: 1 }))).toBe("one\n");
    expect(textOf(await useTool(tool, { path: "a", startLine: 7 }))).toBe("last\n");
  });

  it.each([
    ["at its end", `a ${TOKEN} b\nZoë`, (bytes: number) => ({ offset: 0, limit: bytes - 1 })],
    ["at its beginning", `ë${"x\n".repeat(2000)}${TOKEN} b\n`, () => ({ offset: 1 })],
  ])("gives no secret away as bytes where a character is cut %s", async (_, text, rangeOf) => {
    using scratch = openScratch();
    scratch.put("a", text);
    const tool = readFileTool({ files: scratch.files, redactor });
    const { result } = await useTool(tool, { path: "a", ...rangeOf(Buffer.byteLength(text)) });
    const [content] = result?.kind === "completed" ? (result.content ?? []) : [];
    const bytes = Buffer.from(content?.type === "resource" ? (content.blob ?? "") : "", "base64");
    expect(bytes.toString()).not.toContain(TOKEN);
    expect(bytes.toString()).toContain(" b\n");
    expect(bytes.includes(text.startsWith("ë") ? 0xab : 0xc3)).toBe(true);
  });

  it("finds a secret at the ends of a part of any length", async () => {
    using scratch = openScratch();
    const filling = "x\n".repeat(200_000);
    scratch.put("a", `${SECRET}\n${filling}${SECRET}\n${filling}`);
    const tool = readFileTool({ files: scratch.files, redactor });
    const limit = filling.length + SECRET.length + 1 - 8;
    const read = textOf(await useTool(tool, { path: "a", offset: 4, limit: limit + 10 }));
    expect([read.startsWith("[REDACTED:S]\nx"), read.endsWith("x\n[REDACTED:S]")]).toEqual([true, true]);
    expect(read.length).toBe(filling.length + 1 + 2 * "[REDACTED:S]".length);
  });

  it.each(RANGES)("reads %j", async (range, expected) => {
    using scratch = openScratch();
    scratch.put("a.txt", LINES);
    const used = await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), {
      path: "a.txt",
      ...range,
    });
    expect(contentOf(used)).toEqual([{ type: "text", text: expected }]);
    expect(touchesOf(used, scratch.workspace)).toEqual(["read a.txt"]);
  });

  it.each(BAD_RANGES)("refuses %j: %s", async (range, code, message) => {
    using scratch = openScratch();
    scratch.put("a.txt", LINES);
    const used = await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), {
      path: "a.txt",
      ...range,
    });
    expect([codeOf(used), messageOf(used)]).toEqual([code, message]);
  });

  it("says that an empty file has no second line, and gives its first", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "");
    const tool = readFileTool({ files: scratch.files, redactor: redactorFor() });
    expect(codeOf(await useTool(tool, { path: "a.txt", startLine: 1 }))).toBe("completed");
    expect(codeOf(await useTool(tool, { path: "a.txt", startLine: 2 }))).toBe("INVALID_OFFSET");
  });

  it("gives a file that is too large in parts or not at all", async () => {
    using scratch = openScratch();
    truncateSync(scratch.put("big"), LIMITS.readBytes.default + 1);
    const tool = readFileTool({ files: scratch.files, redactor: redactorFor() });
    expect(codeOf(await useTool(tool, { path: "big" }))).toBe("FILE_TOO_LARGE");
    expect(codeOf(await useTool(tool, { path: "big", limit: 10 }))).toBe("completed");
  });

  it("keeps a byte order mark and text of any script", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "\ufeffé 漢字 \u{1f600}");
    expect(
      textOf(await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), { path: "a.txt" })),
    ).toBe("\ufeffé 漢字 \u{1f600}");
  });
});

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** First bytes in hexadecimal, then what comes back. */
const BINARY: [string, string, string][] = [
  ["89504e470d0a1a0a00", "image", "image/png"],
  ["ffd8ffe000", "image", "image/jpeg"],
  ["47494638396101000100", "image", "image/gif"],
  ["47494638376101000100", "image", "image/gif"],
  ["524946461000000057454250", "image", "image/webp"],
  ["255044462d312e3700", "resource", "application/pdf"],
  ["504b030414000000", "resource", "application/zip"],
  ["1f8b0800", "resource", "application/gzip"],
  ["0061736d01000000", "resource", "application/wasm"],
  ["7f454c460201010000", "resource", "application/x-elf"],
  ["00000018667479706d703432", "resource", "video/mp4"],
  ["89504e470d0a1a00", "resource", "application/octet-stream"],
  ["5249464610000000", "resource", "application/octet-stream"],
  ["ff", "resource", "application/octet-stream"],
  ["6100", "resource", "application/octet-stream"],
  ["000000", "resource", "application/octet-stream"],
];

describe("read_file of what is no text", () => {
  it.each(BINARY)("%s is %s %s, byte for byte", async (hex, type, mediaType) => {
    using scratch = openScratch();
    const bytes = Buffer.from(hex, "hex");
    scratch.put("x.bin", bytes);
    const [item] = contentOf(
      await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), { path: "x.bin" }),
    );
    const data = bytes.toString("base64");
    expect(item).toEqual(type === "image" ? { type, mediaType, data } : { type, uri: "x.bin", mediaType, blob: data });
  });

  it("gives a part of a picture as bytes", async () => {
    using scratch = openScratch();
    scratch.put("x.png", PNG);
    const [item] = contentOf(
      await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), { path: "x.png", limit: 10 }),
    );
    expect(item).toMatchObject({ type: "resource", mediaType: "application/octet-stream" });
  });

  it("takes text that begins like something else for text", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "BZhang\n%PDF-1.7");
    expect(
      textOf(await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), { path: "a.txt" })),
    ).toBe("BZhang\n%PDF-1.7");
  });
});

describe("read_file outside of the workspace", () => {
  it("names the file itself as what it touches", async () => {
    using scratch = openScratch();
    const used = await useTool(readFileTool({ files: scratch.files, redactor: redactorFor() }), {
      path: "../outside/secret.txt",
    });
    expect(used.plan?.touches).toEqual([{ kind: "read", path: join(scratch.outside, "secret.txt") }]);
    expect(textOf(used)).toBe(SENTINEL); // every touch is allowed here; that it is denied is the rules' business
  });
});
