import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Cursor, isName } from "../../src/files/cursor.ts";
import { openScratch, SENTINEL } from "./scratch.ts";

const stand = (cursor: Cursor, path: string) => {
  for (const name of path.split("/").slice(1)) cursor.enter(name);
};

describe("Cursor", () => {
  it("stays in its directory when the path to it is swapped for a link", () => {
    using scratch = openScratch();
    scratch.put("dir/secret.txt", "inside");
    using cursor = new Cursor();
    stand(cursor, join(scratch.workspace, "dir"));
    renameSync(join(scratch.workspace, "dir"), join(scratch.workspace, "moved"));
    symlinkSync(scratch.outside, join(scratch.workspace, "dir"));
    expect(readFileSync(cursor.at("secret.txt"), "utf8")).toBe("inside");
    expect(readFileSync(join(scratch.workspace, "dir/secret.txt"), "utf8")).toBe(SENTINEL);
  });

  it("enters directories and no links, also none that lead to a directory", () => {
    using scratch = openScratch();
    symlinkSync(scratch.outside, join(scratch.workspace, "link"));
    mkdirSync(join(scratch.workspace, "dir"));
    using cursor = new Cursor();
    stand(cursor, scratch.workspace);
    expect(() => cursor.enter("link")).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
    expect(cursor.path).toBe(scratch.workspace);
    cursor.enter("dir");
    expect(cursor.path).toBe(join(scratch.workspace, "dir"));
    cursor.leave();
    expect(cursor.path).toBe(scratch.workspace);
    cursor.goToRoot();
    cursor.leave();
    expect(cursor.path).toBe("/");
  });

  it.each(["", ".", "..", "a/b", "/", "a\0"])("takes one name at a time, so not %j", (name) => {
    using cursor = new Cursor();
    expect(isName(name)).toBe(false);
    expect(() => cursor.at(name)).toThrow(TypeError);
  });

  it.each(["a", "...", "..a", "\\", " "])("takes %j as a name", (name) => {
    using cursor = new Cursor();
    expect(cursor.at(name)).toBe(`${cursor.here}/${name}`);
  });
});
