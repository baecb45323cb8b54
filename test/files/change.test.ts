import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../src/domain/digest.ts";
import { bytesOf, codeOf, openScratch, type Scratch, SENTINEL, unwrap } from "./scratch.ts";

const at = (scratch: Scratch, path: string) => join(scratch.workspace, path);
const modeOf = (path: string) => statSync(path).mode & 0o7777;

async function write(scratch: Scratch, path: string, text: string, before: Digest | null) {
  return await scratch.write(await scratch.checked(path), bytesOf(text), before);
}

describe("write", () => {
  it("creates a file with the mode that the umask leaves", async () => {
    using scratch = openScratch();
    const umask = process.umask(0o027);
    unwrap(await write(scratch, "new.txt", "néw", null));
    process.umask(umask);
    expect(scratch.text("new.txt")).toBe("néw");
    expect(modeOf(at(scratch, "new.txt"))).toBe(0o640);
    expect(scratch.names()).toEqual(["new.txt"]);
  });

  it.each([
    [0o600, 0o600],
    [0o666, 0o666],
    [0o755, 0o755],
    [0o4755, 0o755],
    [0o2775, 0o775],
    [0o1644, 0o644],
  ])("replaces a file of mode %o and leaves %o", async (old, kept) => {
    using scratch = openScratch();
    chmodSync(scratch.put("a.txt", "old"), old);
    unwrap(await write(scratch, "a.txt", "new", digestOfText("old")));
    expect(scratch.text("a.txt")).toBe("new");
    expect(modeOf(at(scratch, "a.txt"))).toBe(kept);
    expect(scratch.names()).toEqual(["a.txt"]);
  });

  it("leaves another name of the old file alone", async () => {
    using scratch = openScratch();
    linkSync(join(scratch.outside, "secret.txt"), at(scratch, "hard"));
    unwrap(await write(scratch, "hard", "new", digestOfText(SENTINEL)));
    expect(readFileSync(join(scratch.outside, "secret.txt"), "utf8")).toBe(SENTINEL);
  });

  it("writes through a link to the file that was judged, and keeps the link", async () => {
    using scratch = openScratch();
    scratch.put("dir/a.txt", "old");
    symlinkSync("dir/a.txt", at(scratch, "link"));
    symlinkSync("dir/new.txt", at(scratch, "dangling"));
    unwrap(await write(scratch, "link", "new", digestOfText("old")));
    unwrap(await write(scratch, "dangling", "created", null));
    expect([scratch.text("dir/a.txt"), scratch.text("dir/new.txt")]).toEqual(["new", "created"]);
    expect(lstatSync(at(scratch, "link")).isSymbolicLink()).toBe(true);
  });

  it("creates no directory", async () => {
    using scratch = openScratch();
    mkdirSync(at(scratch, "dir"));
    const path = await scratch.checked("dir/a.txt");
    rmSync(at(scratch, "dir"), { recursive: true });
    expect(codeOf(await scratch.write(path, bytesOf("x"), null))).toBe("FILE_NOT_FOUND");
    expect(scratch.names()).toEqual([]);
  });

  it.each([
    [10, "ok"],
    [11, "FILE_TOO_LARGE"],
  ])("%d bytes under a limit of 10: %s", async (bytes, code) => {
    using scratch = openScratch({ writeBytes: 10 });
    expect(codeOf(await write(scratch, "a.txt", "x".repeat(bytes), null))).toBe(code);
  });
});

/** What the file was judged to be, what happens then, and how a write answers. */
const CHANGES: [string, Digest | null, (scratch: Scratch) => void, string][] = [
  ["nothing happens", digestOfText("old"), () => {}, "ok"],
  ["the content is other", digestOfText("older"), () => {}, "CONFLICT"],
  ["there was none", null, () => {}, "CONFLICT"],
  ["it is gone", digestOfText("old"), (s) => rmSync(at(s, "dir/a.txt")), "CONFLICT"],
  ["it is gone, as judged", null, (s) => rmSync(at(s, "dir/a.txt")), "ok"],
  ["somebody wrote to it", digestOfText("old"), (s) => s.put("dir/a.txt", "other"), "CONFLICT"],
  [
    "it became a link",
    digestOfText(SENTINEL),
    (s) => {
      rmSync(at(s, "dir/a.txt"));
      symlinkSync(join(s.outside, "secret.txt"), at(s, "dir/a.txt"));
    },
    "CONFLICT",
  ],
  [
    "it became a link to nothing",
    null,
    (s) => {
      rmSync(at(s, "dir/a.txt"));
      symlinkSync(join(s.outside, "new.txt"), at(s, "dir/a.txt"));
    },
    "CONFLICT",
  ],
  [
    "its directory became a link",
    null,
    (s) => {
      renameSync(at(s, "dir"), at(s, "moved"));
      symlinkSync(s.outside, at(s, "dir"));
    },
    "CONFLICT",
  ],
  [
    "it became a directory",
    digestOfText("old"),
    (s) => {
      rmSync(at(s, "dir/a.txt"));
      mkdirSync(at(s, "dir/a.txt"));
    },
    "NOT_REGULAR_FILE",
  ],
];

describe("between judging and writing", () => {
  it.each(CHANGES)("%s", async (_, before, change, code) => {
    using scratch = openScratch();
    scratch.put("dir/a.txt", "old");
    const path = await scratch.checked("dir/a.txt");
    change(scratch);
    const result = await scratch.write(path, bytesOf("new"), before);
    expect(codeOf(result)).toBe(code);
    if (code === "CONFLICT") {
      expect(result).toMatchObject({ fault: { message: "`dir/a.txt` changed since it was judged" } });
    }
    expect(readFileSync(join(scratch.outside, "secret.txt"), "utf8")).toBe(SENTINEL);
  });
});

describe("writes side by side", () => {
  it("let one of many creators win, and the others know", async () => {
    using scratch = openScratch();
    const path = await scratch.checked("a.txt");
    const texts = Array.from({ length: 20 }, (_, i) => `writer ${i}`);
    const results = await Promise.all(texts.map((text) => scratch.write(path, bytesOf(text), null)));
    const winners = texts.filter((_, i) => results[i]?.ok);
    expect(winners).toEqual([scratch.text("a.txt")]);
    expect(results.filter((result) => codeOf(result) === "CONFLICT")).toHaveLength(19);
    expect(scratch.names()).toEqual(["a.txt"]);
  });

  it("let one of many replacers win", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    const path = await scratch.checked("a.txt");
    const texts = Array.from({ length: 20 }, (_, i) => `writer ${i}`);
    const results = await Promise.all(texts.map((text) => scratch.write(path, bytesOf(text), digestOfText("old"))));
    expect(texts.filter((_, i) => results[i]?.ok)).toEqual([scratch.text("a.txt")]);
    expect(scratch.names()).toEqual(["a.txt"]);
  });

  it("show a reader the old or the new content, never a part", async () => {
    using scratch = openScratch();
    const contents = ["a".repeat(300_000), "b".repeat(200_000)];
    scratch.put("a.txt", contents[0]);
    const path = await scratch.checked("a.txt");
    const seen = new Set<string>();
    let writing = true;
    const reader = (async () => {
      while (writing) {
        seen.add(readFileSync(at(scratch, "a.txt"), "latin1"));
        await setImmediate();
      }
    })();
    for (let i = 0; i < 100; i += 1) {
      const [before = "", next = ""] = i % 2 === 0 ? contents : contents.toReversed();
      unwrap(await scratch.write(path, bytesOf(next), digestOfText(before)));
    }
    writing = false;
    await reader;
    expect([...seen].every((content) => contents.includes(content))).toBe(true);
  });

  it("notice a change that comes after the file was hashed", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    const path = await scratch.checked("a.txt");
    const content = bytesOf("x".repeat(20_000_000));
    const result = scratch.write(path, content, digestOfText("old"));
    while (scratch.names().length === 1) await setImmediate(); // the draft appears once the file has been hashed
    writeFileSync(at(scratch, "a.txt"), "somebody else's");
    expect(codeOf(await result)).toBe("CONFLICT");
    expect(scratch.text("a.txt")).toBe("somebody else's");
    expect(scratch.names()).toEqual(["a.txt"]);
  });
});
