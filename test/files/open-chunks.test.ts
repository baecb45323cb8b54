import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openChunks } from "../../src/files/open-chunks.ts";
import { openScratch } from "./scratch.ts";

describe("a file piece by piece", () => {
  it("is all of it", async () => {
    using scratch = openScratch();
    const opened = await openChunks(scratch.put("a", "x".repeat(200_000)));
    if (!opened.ok) throw new Error(opened.why);
    const chunks = await Array.fromAsync(opened.chunks);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).length).toBe(200_000);
  });

  it.each<[string, string, string]>([
    ["absent", "none", "does not exist"],
    ["a directory", "d", "is a directory"],
    ["below a file", "a/b", "lies below something that is no directory"],
    ["of a name too long", "n".repeat(300), "can't be opened (ENAMETOOLONG)"],
  ])("%s: says why not", async (_, name, why) => {
    using scratch = openScratch();
    scratch.put("a");
    scratch.put("d/x");
    expect(await openChunks(`${scratch.workspace}/${name}`)).toEqual({ ok: false, why });
  });

  it.skipIf(process.getuid?.() === 0)("may not be read: says so", async () => {
    using scratch = openScratch();
    const path = scratch.put("a");
    chmodSync(path, 0);
    expect(await openChunks(path)).toEqual({ ok: false, why: "may not be read" });
  });

  it("a mistake of ours stays one", async () => {
    await expect(openChunks(7n as never)).rejects.toThrow(TypeError);
  });
});
