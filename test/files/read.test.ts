import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { bytesOf, codeOf, openDescriptors, openScratch, type Scratch, unwrap, WHOLE } from "./scratch.ts";

/** Offset and limit in `0123456789`, and what comes back. */
const RANGES: [number, number, string][] = [
  [0, 100, "0123456789"],
  [0, 10, "0123456789"],
  [0, 9, "012345678"],
  [0, 0, ""],
  [0, Number.POSITIVE_INFINITY, "0123456789"],
  [9, 100, "9"],
  [10, 100, ""],
  [3, 4, "3456"],
];

const BAD_RANGES: [number, number, string][] = [
  [11, 1, "INVALID_OFFSET"],
  [-1, 1, "INVALID_OFFSET"],
  [0.5, 1, "INVALID_OFFSET"],
  [Number.NaN, 1, "INVALID_OFFSET"],
  [0, -1, "INVALID_ARGUMENTS"],
  [0, Number.NaN, "INVALID_ARGUMENTS"],
];

describe("read", () => {
  it.each(RANGES)("from %d, at most %d bytes: %j", async (offset, limit, content) => {
    using scratch = openScratch();
    scratch.put("a.txt", "0123456789");
    const path = await scratch.checked("a.txt");
    expect(unwrap(await scratch.files.read(path, { offset, limit }))).toEqual(bytesOf(content));
  });

  it.each(BAD_RANGES)("from %d, at most %d bytes: %s", async (offset, limit, code) => {
    using scratch = openScratch();
    scratch.put("a.txt", "0123456789");
    expect(codeOf(await scratch.files.read(await scratch.checked("a.txt"), { offset, limit }))).toBe(code);
  });

  it("reads a file of many chunks byte for byte", async () => {
    using scratch = openScratch();
    const content = Uint8Array.from({ length: 3_000_001 }, (_, i) => i % 251);
    scratch.put("big", content);
    const path = await scratch.checked("big");
    const whole = unwrap(await scratch.files.read(path, WHOLE));
    expect(Buffer.compare(whole, content)).toBe(0);
    const part = unwrap(await scratch.files.read(path, { offset: 999_999, limit: 1_500_000 }));
    expect(Buffer.compare(part, content.subarray(999_999, 2_499_999))).toBe(0);
  });

  it("refuses more than its limit and gives exactly the limit", async () => {
    using scratch = openScratch({ readBytes: 10 });
    scratch.put("ten", "0123456789");
    scratch.put("eleven", "0123456789x");
    const eleven = await scratch.checked("eleven");
    expect(unwrap(await scratch.files.read(await scratch.checked("ten"), WHOLE))).toHaveLength(10);
    expect(codeOf(await scratch.files.read(eleven, WHOLE))).toBe("FILE_TOO_LARGE");
    expect(codeOf(await scratch.files.read(eleven, { offset: 0, limit: 11 }))).toBe("FILE_TOO_LARGE");
    expect(unwrap(await scratch.files.read(eleven, { offset: 0, limit: 10 }))).toHaveLength(10);
    expect(unwrap(await scratch.files.read(eleven, { offset: 1, limit: 11 }))).toHaveLength(10);
  });

  it("says that there is no file, by its path from the workspace", async () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "dir"));
    const result = await scratch.files.read(await scratch.checked("dir/nosuch"), WHOLE);
    expect(result).toMatchObject({ fault: { code: "FILE_NOT_FOUND", message: "there is no file at `dir/nosuch`" } });
  });
});

const at = (scratch: Scratch, path: string) => join(scratch.workspace, path);

/** What happens to `dir/secret.txt` between judging and reading. */
const SWAPS: [string, string, (scratch: Scratch) => void][] = [
  [
    "its directory became a link",
    "CONFLICT",
    (s) => {
      renameSync(at(s, "dir"), at(s, "moved"));
      symlinkSync(s.outside, at(s, "dir"));
    },
  ],
  [
    "it became a link",
    "CONFLICT",
    (s) => {
      rmSync(at(s, "dir/secret.txt"));
      symlinkSync(join(s.outside, "secret.txt"), at(s, "dir/secret.txt"));
    },
  ],
  [
    "its directory became a file",
    "CONFLICT",
    (s) => {
      rmSync(at(s, "dir"), { recursive: true });
      s.put("dir", "x");
    },
  ],
  [
    "it became a directory",
    "NOT_REGULAR_FILE",
    (s) => {
      rmSync(at(s, "dir/secret.txt"));
      mkdirSync(at(s, "dir/secret.txt"));
    },
  ],
  ["its directory is gone", "FILE_NOT_FOUND", (s) => rmSync(at(s, "dir"), { recursive: true })],
  ["nothing", "ok", () => {}],
];

describe("between judging and reading", () => {
  it.each(SWAPS)("%s: %s", async (_, code, swap) => {
    using scratch = openScratch();
    scratch.put("dir/secret.txt", "inside");
    const path = await scratch.checked("dir/secret.txt");
    swap(scratch);
    expect(codeOf(await scratch.files.read(path, WHOLE))).toBe(code);
    expect(codeOf(await scratch.files.digest(path))).toBe(code);
  });
});

describe("digest", () => {
  it.each(["", "abc", "x".repeat(2 ** 20), "x".repeat(2 ** 20 + 1)])(
    "is the SHA-256 of the whole file",
    async (text) => {
      using scratch = openScratch();
      scratch.put("a.txt", text);
      expect(unwrap(await scratch.files.digest(await scratch.checked("a.txt")))).toBe(digestOfText(text));
    },
  );

  it("is null where there is no file", async () => {
    using scratch = openScratch();
    expect(unwrap(await scratch.files.digest(await scratch.checked("nosuch")))).toBeNull();
  });

  it("refuses a file that takes too long to hash", async () => {
    using scratch = openScratch();
    truncateSync(scratch.put("sparse"), LIMITS.readBytes.maximum + 1);
    expect(codeOf(await scratch.files.digest(await scratch.checked("sparse")))).toBe("FILE_TOO_LARGE");
  });
});

describe("descriptors", () => {
  it("are all closed after 1,000 operations, refused ones included", async () => {
    using scratch = openScratch({ readBytes: 10, writeBytes: 10 });
    scratch.put("dir/a.txt", "x");
    scratch.put("eleven", "0123456789x");
    symlinkSync("loop", at(scratch, "loop"));
    const { files } = scratch;
    const some = [
      "dir/a.txt",
      "eleven",
      "dir",
      "nosuch",
      "nosuch/a",
      "loop",
      "dir/a.txt/",
      "/dev/zero",
      "/proc/self/mem",
    ];
    const before = openDescriptors();
    for (let i = 0; i < 1000; i += 1) {
      const located = await files.locate(some[i % some.length] ?? "");
      if (!located.ok) continue;
      const { path } = located.value;
      await Promise.all([files.read(path, { offset: i % 3, limit: 100 }), files.digest(path)]);
      await scratch.write(path, new Uint8Array((i % 2) * 11), null);
      await scratch.write(path, bytesOf("x"), digestOfText("x"));
      rmSync(at(scratch, "nosuch"), { force: true });
    }
    expect(openDescriptors()).toBe(before);
    expect(scratch.names()).toEqual(["dir", "eleven", "loop"]);
  });
});
