import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDirectoryTool } from "../../../src/tools/builtin/list-directory.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";
import { codeOf, messageOf, textOf, touchesOf, useTool } from "./use-tool.ts";

const list = (scratch: Scratch, input: object = {}, hide: readonly string[] = []) =>
  useTool(listDirectoryTool(scratch.files), { path: ".", ...input }, { hide });

function openTree(): Scratch {
  const scratch = openScratch();
  for (const path of ["b.ts", "a.md", ".hidden", "src/x.ts", "src/deep/y.ts", "src/deep/z.md", ".git/config"]) {
    scratch.put(path);
  }
  symlinkSync("src", join(scratch.workspace, "link"));
  return scratch;
}

const TEXTS: [object, string[]][] = [
  [{}, [".git/", ".hidden", "a.md", "b.ts", "link", "src/"]],
  [{ pattern: "" }, [".git/", ".hidden", "a.md", "b.ts", "link", "src/"]],
  [{ pattern: "*.ts" }, ["b.ts"]],
  [{ path: "src" }, ["deep/", "x.ts"]],
  [{ path: "link" }, ["deep/", "x.ts"]],
  [{ recursive: false }, [".git/", ".hidden", "a.md", "b.ts", "link", "src/"]],
  [
    { recursive: true },
    [".hidden", "a.md", "b.ts", "link", "src/", "src/deep/", "src/deep/y.ts", "src/deep/z.md", "src/x.ts"],
  ],
  [{ recursive: true, pattern: "*.ts" }, ["b.ts", "src/deep/y.ts", "src/x.ts"]],
  [{ recursive: true, pattern: "src/*.ts" }, ["src/x.ts"]],
  [{ recursive: true, path: "src" }, ["deep/", "deep/y.ts", "deep/z.md", "x.ts"]],
];

describe("list_directory", () => {
  it.each(TEXTS)("%j", async (input, expected) => {
    using scratch = openTree();
    expect(textOf(await list(scratch, input)).split("\n")).toEqual(expected);
  });

  it("says what each entry is", async () => {
    using scratch = openTree();
    const { result } = await list(scratch, { path: "src" });
    expect(result).toMatchObject({
      structured: {
        entries: [
          { name: "deep", kind: "directory", bytes: 0 },
          { name: "x.ts", kind: "file", bytes: 8 },
        ],
        truncated: false,
      },
    });
  });

  it("shows no name that a recursive listing hides", async () => {
    using scratch = openTree();
    const hide = [`${scratch.workspace}/.hidden`, `${scratch.workspace}/s*`];
    expect(textOf(await list(scratch, {}, hide)).split("\n")).toEqual([".git/", "a.md", "b.ts", "link"]);
    expect(textOf(await list(scratch, { limit: 4 }, hide))).not.toContain("[cut");
    expect(textOf(await list(scratch, { recursive: true }, hide)).split("\n")).toEqual(["a.md", "b.ts", "link"]);
  });

  it("keeps a name with a line end on its line", async () => {
    using scratch = openScratch();
    scratch.put("a\nsecret");
    expect(textOf(await list(scratch)).split("\n")).toEqual(["a\\u{a}secret"]);
  });

  it.each([
    [{ limit: 6 }, "src/", false],
    [{ limit: 5 }, "[cut: there is more than these 5 entries; narrow it down by `path` or `pattern`]", true],
    [
      { limit: 8, recursive: true },
      "[cut: there is more than these 8 entries; narrow it down by `path` or `pattern`]",
      true,
    ],
    [{ limit: 9, recursive: true }, "src/x.ts", false],
    [{ limit: 1, pattern: "*.ts" }, "b.ts", false],
    [
      { limit: 1, recursive: true, pattern: "*.md" },
      "[cut: there is more than these 1 entries; narrow it down by `path` or `pattern`]",
      true,
    ],
  ])("%j ends with %j", async (input, last, truncated) => {
    using scratch = openTree();
    const used = await list(scratch, input);
    expect(textOf(used).split("\n").at(-1)).toBe(last);
    expect(used.result).toMatchObject({ structured: { truncated } });
  });

  it.each([
    [{ limit: 2000 }, "completed", ""],
    [{ limit: 2001 }, "INVALID_ARGUMENTS", "`limit` must be at most 2000"],
    [{ limit: 0 }, "INVALID_ARGUMENTS", "`limit` must be at least 1"],
    [{ pattern: "*.{ts,md}" }, "INVALID_ARGUMENTS", "`pattern` has braces"],
    [{ path: "a.md" }, "NOT_DIRECTORY", "`a.md` is no directory"],
    [{ path: "a.md", recursive: true }, "NOT_DIRECTORY", "`a.md` is no directory"],
    [{ path: "nosuch" }, "FILE_NOT_FOUND", "there is no directory at `nosuch`"],
  ])("%j: %s", async (input, code, message) => {
    using scratch = openTree();
    const used = await list(scratch, input);
    expect(codeOf(used)).toBe(code);
    expect(messageOf(used)).toContain(message);
  });
});

describe("a recursive listing", () => {
  it("touches the whole tree, and the .gitignore files above it", async () => {
    using scratch = openTree();
    scratch.put(".gitignore", "*.md\n");
    scratch.put("src/.gitignore", "!z.md\n");
    const used = await list(scratch, { path: "src/deep", recursive: true });
    expect(touchesOf(used, scratch.workspace)).toEqual([
      "read src/deep tree",
      "read .gitignore",
      "read src/.gitignore",
    ]);
    expect(textOf(used).split("\n")).toEqual(["y.ts", "z.md"]);
    expect(touchesOf(await list(scratch, { path: "src" }), scratch.workspace)).toEqual(["read src"]);
    expect(touchesOf(await list(scratch, { recursive: true }), scratch.workspace)).toEqual([
      `read ${scratch.workspace} tree`,
    ]);
  });

  it("lists an ignored directory when that is what was asked for", async () => {
    using scratch = openTree();
    scratch.put(".gitignore", "src/\n");
    expect(textOf(await list(scratch, { recursive: true }))).not.toContain("src");
    expect(textOf(await list(scratch, { path: "src", recursive: true }))).toContain("x.ts");
  });

  it("passes over what is hidden, its .gitignore included", async () => {
    using scratch = openTree();
    scratch.put("src/deep/.gitignore", "y.ts\n");
    const text = async (hidden: string) =>
      textOf(await list(scratch, { path: "src", recursive: true }, [`${scratch.workspace}/${hidden}`]));
    expect(await text("src/deep")).toBe("x.ts");
    expect(await text("src/x.ts")).toBe("deep/\ndeep/.gitignore\ndeep/z.md");
    expect(await text("src/deep/.gitignore")).toBe("deep/\ndeep/y.ts\ndeep/z.md\nx.ts");
  });

  it("takes a link for .gitignore as git does: for none", async () => {
    using scratch = openTree();
    scratch.put("rules", "*.ts\n");
    symlinkSync("../rules", join(scratch.workspace, "src/.gitignore"));
    expect(textOf(await list(scratch, { path: "src", recursive: true }))).toContain("x.ts");
    expect(textOf(await list(scratch, { path: "src/deep", recursive: true }))).toContain("y.ts");
  });

  it("gives up where a repository has patterns that would take long, and says that there is more", async () => {
    using scratch = openScratch();
    scratch.put("a.txt");
    scratch.put(`b${"/a".repeat(150)}/c`);
    scratch.put(".gitignore", `**/${"a/".repeat(50)}b\n`.repeat(2000));
    const lines = textOf(await list(scratch, { recursive: true })).split("\n");
    expect(lines.slice(0, 4)).toEqual([".gitignore", "a.txt", "b/", "b/a/"]);
    expect(lines.at(-1)).toMatch(/^\[cut: there is more than these \d+ entries/);
  });

  it("stops when it is told to", async () => {
    using scratch = openTree();
    const used = await useTool(
      listDirectoryTool(scratch.files),
      { path: ".", recursive: true },
      { signal: AbortSignal.abort() },
    );
    expect(used.result).toEqual({ kind: "stopped" });
  });

  it("goes down as deep as a path can be", async () => {
    using scratch = openScratch();
    const deep = Array(300).fill("d").join("/");
    mkdirSync(join(scratch.workspace, deep), { recursive: true });
    expect(
      textOf(await list(scratch, { recursive: true }))
        .split("\n")
        .at(-1),
    ).toBe(`${deep}/`);
  });

  it.skipIf(process.getuid?.() === 0)("counts the directories that it could not list", async () => {
    using scratch = openTree();
    chmodSync(join(scratch.workspace, "src/deep"), 0);
    expect(textOf(await list(scratch, { recursive: true }))).toContain("[left out: 1 that could not be listed]");
    chmodSync(join(scratch.workspace, "src/deep"), 0o700);
  });
});
