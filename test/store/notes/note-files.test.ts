import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NoteFiles } from "../../../src/store/notes/note-files.ts";

function withState(use: (notes: NoteFiles, folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-notes-"));
  try {
    use(new NoteFiles(folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("notes", () => {
  it("are kept whole, replaced and removed", () =>
    withState((notes, folder) => {
      expect(notes.read("a/b")).toBeNull();
      notes.write("a/b", "one");
      notes.write("a/b", "two");
      expect(notes.read("a/b")).toBe("two");
      expect(new NoteFiles(folder).read("a/b")).toBe("two");
      expect(readdirSync(join(folder, "notes", "a"))).toEqual(["b"]);
      notes.remove("a/b");
      notes.remove("a/b");
      expect(notes.read("a/b")).toBeNull();
    }));

  it("are claimed by one", () =>
    withState((notes, folder) => {
      expect([notes.claim("a", "1"), new NoteFiles(folder).claim("a", "2"), notes.read("a")]).toEqual([
        true,
        false,
        "1",
      ]);
    }));

  it("are listed, the oldest first", () =>
    withState((notes, folder) => {
      expect(notes.list("a")).toEqual([]);
      for (const [index, name] of ["x", "y", "z"].entries()) {
        notes.write(`a/${name}`, name);
        utimesSync(join(folder, "notes", "a", name), 1000 - index, 1000 - index);
      }
      expect(notes.list("a")).toEqual(["a/z", "a/y", "a/x"]);
    }));

  it("of others are not believed, and their links not followed", () =>
    withState((notes, folder) => {
      mkdirSync(join(folder, "notes"));
      writeFileSync(join(folder, "notes", "a"), "planted", { mode: 0o644 });
      expect(notes.read("a")).toBeNull();
      chmodSync(join(folder, "notes", "a"), 0o600);
      expect(notes.read("a")).toBe("planted");
      symlinkSync("a", join(folder, "notes", "link"));
      expect(notes.read("link")).toBeNull();
      mkdirSync(join(folder, "elsewhere"));
      symlinkSync(join(folder, "elsewhere"), join(folder, "notes", "out"));
      notes.write("out/x", "text");
      expect(notes.claim("out/y", "text")).toBe(false);
      expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
      expect(notes.read("../a")).toBeNull();
    }));
});
