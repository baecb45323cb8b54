import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFiles } from "../../src/files/open-files.ts";
import type { Files } from "../../src/ports/files.ts";
import { bytesOf, codeOf, openScratch, unsafeChecked, unwrap, WHOLE } from "./scratch.ts";

const everyAnswer = async (files: Files) => {
  const path = unsafeChecked("/tmp/a.txt");
  return [
    await files.locate("a.txt"),
    await files.read(path, WHOLE),
    await files.digest(path),
    await files.list(path),
    await files.change([{ path, before: null, content: bytesOf("x") }]),
  ].map(codeOf);
};

describe("openFiles", () => {
  it("resolves links to the workspace once", async () => {
    using scratch = openScratch();
    scratch.put("a.txt");
    const link = join(scratch.outside, "link");
    symlinkSync("../ws", link);
    const files = openFiles({ workspace: `${link}/` });
    expect(files.workspace).toBe(scratch.workspace);
    expect(unwrap(await files.locate("a.txt")).path).toBe(join(scratch.workspace, "a.txt"));
    expect(unwrap(await files.locate(join(link, "a.txt"))).path).toBe(join(scratch.workspace, "a.txt"));
  });

  it("shows paths from the workspace", () => {
    using scratch = openScratch();
    const { files, workspace, outside } = scratch;
    expect([workspace, `${workspace}/a/b`, outside].map(files.shown)).toEqual([".", "a/b", "../outside"]);
  });

  it.each(["", "relative", "/nosuch/workspace", "/dev/null", "/proc/self/cwd", "/tmp\0"])(
    "answers nothing but faults for the workspace %j",
    async (workspace) => {
      expect(await everyAnswer(openFiles({ workspace }))).toEqual(Array(5).fill("IO_ERROR"));
    },
  );

  it("answers nothing but faults on a platform that it does not know", async () => {
    using scratch = openScratch();
    const platform = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
    Object.defineProperty(process, "platform", { ...platform, value: "darwin" });
    const files = openFiles({ workspace: scratch.workspace });
    Object.defineProperty(process, "platform", platform);
    expect(await everyAnswer(files)).toEqual(Array(5).fill("ACCESS_DENIED"));
    expect(await files.locate("a.txt")).toMatchObject({ fault: { message: expect.stringContaining("not supported") } });
  });
});
