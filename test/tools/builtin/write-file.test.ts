import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { digestOfBytes, digestOfText } from "../../../src/domain/digest.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { writeFileTool } from "../../../src/tools/builtin/write-file.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";
import { ASK_ALL, openScratchGate } from "../../support/scratch-gate.ts";
import { codeOf, messageOf, textOf, touchesOf, useTool } from "./use-tool.ts";

const write = (scratch: Scratch, input: object, between?: () => void) =>
  useTool(writeFileTool(scratch.files), { path: "a.txt", content: "new", ...input }, between ? { between } : {});

/** What stands in the file, how it is written, what comes out and what then stands there. */
const WRITES: [string | null, object, string, string | null][] = [
  [null, {}, "completed", "new"],
  ["old", {}, "completed", "new"],
  ["old", { create_only: false, append: false }, "completed", "new"],
  [null, { create_only: true }, "completed", "new"],
  ["old", { create_only: true }, "FILE_EXISTS", "old"],
  ["", { create_only: true }, "FILE_EXISTS", ""],
  [null, { append: true }, "completed", "new"],
  ["old", { append: true }, "completed", "oldnew"],
  ["old\n", { append: true }, "completed", "old\nnew"],
  ["old", { append: true, create_only: true }, "INVALID_ARGUMENTS", "old"],
  [null, { path: "../nosuch/a.txt" }, "FILE_NOT_FOUND", null],
  [null, { path: "nosuch/a.txt", create_folders: false }, "FILE_NOT_FOUND", null],
  [null, { path: "new/" }, "INVALID_ARGUMENTS", null],
  [null, { path: "new/." }, "INVALID_ARGUMENTS", null],
  [null, { path: "new/deeper/.." }, "INVALID_ARGUMENTS", null],
  [null, { path: "." }, "NOT_REGULAR_FILE", null],
  [null, { path: ".", append: true }, "NOT_REGULAR_FILE", null],
  [null, { path: ".", create_only: true }, "NOT_REGULAR_FILE", null],
];

describe("write_file", () => {
  it.each(WRITES)("%j with %j: %s", async (before, flags, code, after) => {
    using scratch = openScratch();
    if (before !== null) scratch.put("a.txt", before);
    const used = await write(scratch, flags);
    expect(codeOf(used)).toBe(code);
    if (after === null) expect(scratch.names()).toEqual([]);
    else expect(scratch.text("a.txt")).toBe(after);
  });

  it("plans the digests of the whole file, before and after", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    const path = join(scratch.workspace, "a.txt");
    const [old, whole] = [digestOfText("old"), digestOfText("oldnew")];
    expect((await write(scratch, { create_only: true })).plan?.operands).toEqual([
      { path, before: null, after: digestOfText("new") },
    ]);
    expect((await write(scratch, { append: true })).plan?.operands).toEqual([{ path, before: old, after: whole }]);
    const replaced = await write(scratch, {});
    expect(replaced.plan?.operands).toEqual([{ path, before: whole, after: digestOfText("new") }]);
    expect(touchesOf(replaced, scratch.workspace)).toEqual(["write a.txt"]);
  });

  it("writes bytes that are no text from Base64", async () => {
    using scratch = openScratch();
    const bytes = Buffer.from([0, 255, 128, 65]);
    const content = bytes.toString("base64");
    const written = await write(scratch, { content, encoding: "base64" });
    expect(textOf(written)).toBe("File written successfully to a.txt (4 bytes)");
    expect(readFileSync(join(scratch.workspace, "a.txt"))).toEqual(bytes);
    expect(written.plan?.operands).toMatchObject([{ before: null, after: digestOfBytes(bytes) }]);
    await write(scratch, { content, encoding: "base64", append: true });
    expect(readFileSync(join(scratch.workspace, "a.txt"))).toEqual(Buffer.concat([bytes, bytes]));
    expect(codeOf(await write(scratch, { content: "new", encoding: "utf-8" }))).toBe("completed");
    expect(scratch.text("a.txt")).toBe("new");
  });

  it.each([
    ["what is no Base64", "a b", "`content` is not Base64"],
    ["Base64 of another alphabet", "_-8=", "`content` is not Base64"],
    ["Base64 with something behind its end", "/w==AA==", "`content` is not Base64"],
    ["text, which a person could not read so", Buffer.from("rm -rf ~").toString("base64"), "is Base64 of a text"],
    ["nothing", "", "is Base64 of a text"],
  ])("takes no %s", async (_, content, message) => {
    using scratch = openScratch();
    const refused = await write(scratch, { content, encoding: "base64" });
    expect([codeOf(refused), messageOf(refused)]).toEqual(["INVALID_ARGUMENTS", expect.stringContaining(message)]);
    expect(scratch.names()).toEqual([]);
  });

  it("shows people what can be read of bytes, also where one of them is no text", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const bytes = Buffer.from("touch /tmp/x\nexit\n\xff", "latin1");
    const call = { tool: "write_file", input: { path: "a.sh", content: bytes.toString("base64"), encoding: "base64" } };
    const asked = await scratch.gate.call(call, { whenAsked: "return" });
    if (asked.kind !== "pending") throw new Error(asked.kind);
    const question = await scratch.gate.approvals.find(asked.approval.id);
    expect(question?.shown.preview?.split("\n").slice(1)).toEqual(["touch /tmp/x", "exit", "\ufffd", ""]);
  });

  it("writes bytes with a NUL as they are read", async () => {
    using scratch = openScratch();
    const bytes = Buffer.from("a\0b");
    expect(codeOf(await write(scratch, { content: bytes.toString("base64"), encoding: "base64" }))).toBe("completed");
    expect(readFileSync(join(scratch.workspace, "a.txt"))).toEqual(bytes);
  });

  it("takes no mark of a secret, also not among bytes", async () => {
    using scratch = openScratch();
    const content = Buffer.from("\xff[REDACTED:X]", "latin1").toString("base64");
    expect(codeOf(await write(scratch, { content, encoding: "base64" }))).toBe("REDACTED_CONTENT");
  });

  it("tells how many bytes were written, and how many were added", async () => {
    using scratch = openScratch();
    expect(textOf(await write(scratch, { content: "é" }))).toBe("File written successfully to a.txt (2 bytes)");
    const added = await write(scratch, { content: "é", append: true });
    expect(textOf(added)).toBe("File written successfully to a.txt (2 bytes appended)");
  });

  it.each([{}, { append: true }])("keeps the mode with %j", async (flags) => {
    using scratch = openScratch();
    chmodSync(scratch.put("a.txt", "old"), 0o751);
    await write(scratch, flags);
    expect(statSync(join(scratch.workspace, "a.txt")).mode & 0o777).toBe(0o751);
  });

  it.each([{}, { append: true }])("notices a change between planning and running, with %j", async (flags) => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    const used = await write(scratch, flags, () => scratch.put("a.txt", "other"));
    expect([codeOf(used), scratch.text("a.txt")]).toEqual(["CONFLICT", "other"]);
  });

  it("does not take a file that has come since for its own, with create_only", async () => {
    using scratch = openScratch();
    const used = await write(scratch, { create_only: true }, () => scratch.put("a.txt", "other"));
    expect([codeOf(used), scratch.text("a.txt")]).toEqual(["FILE_EXISTS", "other"]);
  });

  it("does not follow a link that has come since", async () => {
    using scratch = openScratch();
    const secret = join(scratch.outside, "new.txt");
    const used = await write(scratch, { create_only: true }, () =>
      symlinkSync(secret, join(scratch.workspace, "a.txt")),
    );
    expect(codeOf(used)).toBe("CONFLICT");
  });

  it("appends bytes to a file that is no text", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", Uint8Array.of(0xff, 0));
    expect(codeOf(await write(scratch, { content: "x", append: true }))).toBe("completed");
    const { size } = statSync(join(scratch.workspace, "a.txt"));
    expect(size).toBe(3);
  });

  it.each([
    ["[REDACTED:x]", "REDACTED_CONTENT"],
    ["a [REDACTED: b", "REDACTED_CONTENT"],
    ["[REDACTED]", "completed"],
    ["REDACTED:", "completed"],
  ])("%j: %s", async (content, code) => {
    using scratch = openScratch();
    for (const flags of [{}, { append: true }, { create_only: true, path: "b.txt" }]) {
      expect(codeOf(await write(scratch, { content, ...flags }))).toBe(code);
    }
    expect(scratch.names()).toEqual(code === "completed" ? ["a.txt", "b.txt"] : []);
  });

  it("refuses more than its limit, before anything is located", async () => {
    using scratch = openScratch();
    const used = await write(scratch, { content: "x".repeat(LIMITS.writeBytes.maximum + 1) });
    expect([codeOf(used), used.refusal?.stage]).toEqual(["FILE_TOO_LARGE", "plan"]);
    expect(messageOf(used)).toContain("at most 104857600 can be written at once");
  });

  it("does not append beyond the limit", async () => {
    using scratch = openScratch();
    truncateSync(scratch.put("a.txt"), LIMITS.writeBytes.maximum);
    const used = await write(scratch, { content: "x", append: true });
    expect([codeOf(used), messageOf(used)]).toEqual([
      "FILE_TOO_LARGE",
      "`a.txt` would be over the limit of 104857600 bytes",
    ]);
  });

  it.each([{}, { append: true }, { create_only: true }])(
    "makes the folders that are not there, with %j",
    async (flags) => {
      using scratch = openScratch();
      mkdirSync(join(scratch.workspace, "dir"));
      const used = await write(scratch, { path: "dir/new/deep/a.txt", ...flags });
      expect(codeOf(used)).toBe("completed");
      expect(scratch.text("dir/new/deep/a.txt")).toBe("new");
      expect(touchesOf(used, scratch.workspace)).toEqual([
        "write dir/new/deep/a.txt",
        "write dir/new",
        "write dir/new/deep",
      ]);
      const again = await write(scratch, { path: "dir/new/deep/a.txt", append: true });
      expect(touchesOf(again, scratch.workspace)).toEqual(["write dir/new/deep/a.txt"]);
    },
  );

  it("makes no folder in the place of one that is gone by now", async () => {
    using scratch = openScratch();
    const dir = join(scratch.workspace, "dir");
    mkdirSync(dir);
    const used = await write(scratch, { path: "dir/a.txt" }, () => rmSync(dir, { recursive: true }));
    expect([codeOf(used), scratch.names()]).toEqual(["FILE_NOT_FOUND", []]);
  });

  it.each([
    [LIMITS.newFolders.maximum, "completed"],
    [LIMITS.newFolders.maximum + 1, "PATH_INVALID"],
  ])("makes %i folders at once: %s", async (count, code) => {
    using scratch = openScratch();
    const used = await write(scratch, { path: `${"x/".repeat(count)}a.txt` });
    expect(codeOf(used)).toBe(code);
    expect(scratch.names()).toEqual(code === "completed" ? ["x"] : []);
  });
});

it("28.15: never writes a long content as one JSON text, be it NUL bytes or letters", async () => {
  await using scratch = openScratchGate();
  const stringify = vi.spyOn(JSON, "stringify");
  const longestFor = async (piece: string): Promise<number> => {
    stringify.mockClear();
    const outcome = await scratch.gate.call({
      tool: "write_file",
      input: { path: "a.bin", content: piece.repeat(2_000_000) },
    });
    expect(outcome.kind).toBe("completed");
    return Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
  };
  try {
    expect(await longestFor("a")).toBeLessThan(256 * 1024);
    expect(await longestFor("\0")).toBeLessThan(256 * 1024);
  } finally {
    stringify.mockRestore();
  }
});
