import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { UpstreamSpec } from "../../../src/domain/upstream.ts";
import { openFiles } from "../../../src/files/open-files.ts";
import { mappedTouches } from "../../../src/tools/foreign/mapped-touches.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

const UNKNOWN = { kind: "unknown", reason: expect.stringContaining("can't be read") };

/** A workspace with `inner/a.txt` and `a.txt`, and a server that has been started in `cwd` below it. */
function open(cwd: string | null = "inner") {
  const scratch = openScratchGate();
  mkdirSync(join(scratch.workspace, "inner"));
  mkdirSync(join(scratch.workspace, "far/away"), { recursive: true });
  for (const path of ["inner/a.txt", "a.txt", "far/a.txt"]) scratch.put(path, path);
  symlinkSync("../far/away", join(scratch.workspace, "inner/link"));
  const way = cwd === null ? { kind: "http" } : { kind: "stdio", cwd: join(scratch.workspace, cwd) };
  const touches: UpstreamSpec["touches"] = {
    "*": { read: ["path", "items.path"] },
    post: { write: ["path"], connect: ["url"] },
  };
  const spec = { touches, way } as unknown as UpstreamSpec;
  const files = openFiles({ workspace: scratch.workspace });
  return Object.assign(scratch, {
    touches: (tool: string, input: JsonObject) => mappedTouches(spec, tool, input, files),
  });
}

describe("inputs that name files are judged as the server finds them", () => {
  it.each<[string | null, string, string]>([
    ["inner", "a.txt", "inner/a.txt"],
    ["inner", "./a.txt", "inner/a.txt"],
    ["inner", "../a.txt", "a.txt"],
    ["inner", "../far/a.txt", "far/a.txt"],
    [null, "a.txt", "a.txt"],
    [null, "inner/../a.txt", "a.txt"],
    ["far", "a.txt", "far/a.txt"],
  ])("in %s, %s is %s", async (cwd, path, found) => {
    await using scratch = open(cwd);
    expect(await scratch.touches("look", { path })).toEqual([{ kind: "read", path: join(scratch.workspace, found) }]);
  });

  it("an absolute one is itself", async () => {
    await using scratch = open();
    const path = join(scratch.workspace, "a.txt");
    expect(await scratch.touches("look", { path })).toEqual([{ kind: "read", path }]);
  });

  it("one that is another file to the kernel than to who shortens it is nobody's guess", async () => {
    await using scratch = open();
    // The kernel's is `far/a.txt`, the shortened one `inner/a.txt`.
    expect(await scratch.touches("look", { path: "link/../a.txt" })).toEqual([UNKNOWN]);
    expect(await scratch.touches("look", { path: `${scratch.workspace}/inner/link/../a.txt` })).toEqual([UNKNOWN]);
  });

  it.each<[string, JsonObject]>([
    ["a number", { path: 7 }],
    ["null", { path: null }],
    ["an object", { path: { path: "a.txt" } }],
    ["a NUL", { path: "a\0b" }],
    ["nothing", { path: "" }],
  ])("%s is unknown, and not harmless", async (_, input) => {
    await using scratch = open();
    expect(await scratch.touches("look", input)).toEqual([UNKNOWN]);
  });

  it("each of a list, wherever it lies, and each kind that is said", async () => {
    await using scratch = open();
    const path = (name: string) => join(scratch.workspace, name);
    expect(await scratch.touches("look", { items: [{ path: "a.txt" }, { path: ["../a.txt", 7] }, {}] })).toEqual([
      { kind: "read", path: path("inner/a.txt") },
      { kind: "read", path: path("a.txt") },
      UNKNOWN,
    ]);
    expect(await scratch.touches("post", { path: "../far", url: "https://example.com/x" })).toEqual([
      { kind: "read", path: path("far"), tree: true },
      { kind: "write", path: path("far"), tree: true },
      { kind: "connect", host: "example.com", port: 443, scheme: "https" },
    ]);
    expect(await scratch.touches("post", {})).toEqual([]);
  });
});
