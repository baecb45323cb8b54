import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, openScratch, type Scratch, unwrap } from "./scratch.ts";

let scratch: Scratch;
const link = (target: string, path: string) => symlinkSync(target, join(scratch.workspace, path));

beforeAll(() => {
  scratch = openScratch();
  scratch.put("a.txt", "12345");
  scratch.put("dir/deep/b.txt", "b");
  scratch.put("%2e%2e", "percent");
  scratch.put("back\\slash", "backslash");
  scratch.put("~", "tilde");
  scratch.put("caf\u00e9", "composed");
  link("a.txt", "relative");
  link("./dir/../a.txt", "dotted");
  link(join(scratch.workspace, "a.txt"), "absolute");
  link("relative", "chain");
  link("dir/deep", "to-deep");
  link("loop-b", "loop-a");
  link("loop-a", "loop-b");
  link("new.txt", "dangling");
  link("nosuch/new.txt", "dangling-deep");
  link("new/", "dangling-slash");
  link("a.txt/", "file-slash");
  link("../outside/secret.txt", "out");
  link(scratch.outside, "out-dir");
  link("../outside/new.txt", "out-dangling");
  symlinkSync(Buffer.from([0x61, 0xff]), join(scratch.workspace, "not-utf8"));
  link("/", "root");
  linkSync(join(scratch.workspace, "a.txt"), join(scratch.workspace, "hard"));
  link("chain-01", "chain-00");
  for (let i = 1; i < 41; i += 1) link(i === 40 ? "a.txt" : `chain-${pad(i + 1)}`, `chain-${pad(i)}`);
  mkdirSync(join(scratch.workspace, "x"));
  link(`${"x/../".repeat(800)}many-1`, "many-0");
  for (let i = 1; i < 8; i += 1) link(`${"x/../".repeat(800)}many-${i + 1}`, `many-${i}`);
  link("a.txt", "many-8");
});

afterAll(() => scratch[Symbol.dispose]());

const pad = (i: number) => String(i).padStart(2, "0");

/** Raw path, then where it leads from the workspace, and as what. */
const FOUND: [string, string, string][] = [
  ["a.txt", "a.txt", "file"],
  ["./a.txt", "a.txt", "file"],
  ["dir//deep///b.txt", "dir/deep/b.txt", "file"],
  ["dir/../a.txt", "a.txt", "file"],
  ["dir/deep/../../a.txt", "a.txt", "file"],
  [".", ".", "directory"],
  ["dir", "dir", "directory"],
  ["dir/", "dir", "directory"],
  ["dir/.", "dir", "directory"],
  ["dir/..", ".", "directory"],
  ["new.txt", "new.txt", "absent"],
  ["dir/new.txt", "dir/new.txt", "absent"],
  ["..", "..", "directory"],
  ["../outside/secret.txt", "../outside/secret.txt", "file"],
  ["../outside/new.txt", "../outside/new.txt", "absent"],
  ["relative", "a.txt", "file"],
  ["dotted", "a.txt", "file"],
  ["absolute", "a.txt", "file"],
  ["chain", "a.txt", "file"],
  ["hard", "hard", "file"],
  ["to-deep", "dir/deep", "directory"],
  ["to-deep/", "dir/deep", "directory"],
  ["to-deep/b.txt", "dir/deep/b.txt", "file"],
  ["to-deep/..", "dir", "directory"],
  ["to-deep/../../a.txt", "a.txt", "file"],
  ["dangling", "new.txt", "absent"],
  ["out", "../outside/secret.txt", "file"],
  ["out-dir", "../outside", "directory"],
  ["out-dir/secret.txt", "../outside/secret.txt", "file"],
  ["out-dir/../ws/a.txt", "a.txt", "file"],
  ["out-dangling", "../outside/new.txt", "absent"],
  ["root/../../..", "/", "directory"],
  ["chain-01", "a.txt", "file"],
  ["many-6", "a.txt", "file"],
  ["%2e%2e", "%2e%2e", "file"],
  ["%2e%2e%2fa.txt", "%2e%2e%2fa.txt", "absent"],
  ["..\\outside\\secret.txt", "..\\outside\\secret.txt", "absent"],
  ["back\\slash", "back\\slash", "file"],
  ["~", "~", "file"],
  ["caf\u00e9", "caf\u00e9", "file"],
  ["cafe\u0301", "cafe\u0301", "absent"],
  ["A.TXT", "A.TXT", "absent"],
  ["...", "...", "absent"],
  ["a".repeat(255), "a".repeat(255), "absent"],
  ["/dev/null", "/dev/null", "other"],
  ["/proc/version", "/proc/version", "other"],
  // What stands in the way is told only to a call that may touch the path, so these are judged like any other.
  ["a.txt/", "a.txt", "unreachable"],
  ["a.txt/.", "a.txt", "unreachable"],
  ["a.txt/..", ".", "unreachable"],
  ["a.txt/b", "a.txt/b", "unreachable"],
  ["a.txt/../../../x", "../../x", "unreachable"],
  ["relative/", "a.txt", "unreachable"],
  ["file-slash", "a.txt", "unreachable"],
  ["nosuch/../a.txt", "a.txt", "unreachable"],
  ["nosuch/new.txt", "nosuch/new.txt", "unreachable"],
  ["nosuch/../../outside.txt", "../outside.txt", "unreachable"],
  ["new/", "new", "unreachable"],
  ["dangling-deep", "nosuch/new.txt", "unreachable"],
  ["dangling/a", "new.txt/a", "unreachable"],
];

const REFUSED: [string, string, string][] = [
  ["loop-a", "PATH_INVALID", "leads through too many links"],
  ["loop-a/x", "PATH_INVALID", "leads through too many links"],
  ["chain-00", "PATH_INVALID", "`chain-40` leads through too many links"],
  ["many-0", "PATH_INVALID", "leads through too many links"],
  ["not-utf8", "PATH_INVALID", "`not-utf8` is a link to a name that is not UTF-8"],
  ["a".repeat(256), "PATH_INVALID", "holds a name that is too long"],
  ["", "PATH_INVALID", "the path is empty"],
  ["a.txt\0.png", "PATH_INVALID", "NUL"],
  ["/proc/self", "PATH_INVALID", "a link that the kernel makes up"],
  ["/proc/self/root/etc/passwd", "PATH_INVALID", "a link that the kernel makes up"],
  [`/proc/${process.pid}/root`, "PATH_INVALID", "a link that the kernel makes up"],
  [`/proc/${process.pid}/cwd/a.txt`, "PATH_INVALID", "a link that the kernel makes up"],
  [`/proc/${process.pid}/fd/0`, "PATH_INVALID", "a link that the kernel makes up"],
  [`/proc/${process.pid}/exe`, "PATH_INVALID", "a link that the kernel makes up"],
  [`root/proc/${process.pid}/root/etc`, "PATH_INVALID", "a link that the kernel makes up"],
  ["/dev/fd/0", "PATH_INVALID", "a link that the kernel makes up"],
];

describe("locate", () => {
  it.each(FOUND)("%s leads to %s (%s)", async (rawPath, path, kind) => {
    const located = unwrap(await scratch.files.locate(rawPath));
    const { links: _, ...found } = located;
    expect({ ...found, bytes: 0 }).toEqual({
      path: join(path[0] === "/" ? "/" : scratch.workspace, path),
      kind,
      bytes: 0,
    });
  });

  it("names each link on the way, with the rest of the way", async () => {
    const linksOf = async (path: string) =>
      unwrap(await scratch.files.locate(path)).links?.map((link) => link.slice(scratch.workspace.length + 1));
    expect(await linksOf("a.txt")).toBeUndefined();
    expect(await linksOf("chain")).toEqual(["chain", "relative"]);
    expect(await linksOf("to-deep/../../to-deep/b.txt")).toEqual(["to-deep", "to-deep/b.txt"]);
  });

  it.each(FOUND)("an absolute path is judged by the same rules (%s)", async (rawPath) => {
    const absolute = rawPath.startsWith("/") ? rawPath : `${scratch.workspace}/${rawPath}`;
    expect(await scratch.files.locate(absolute)).toEqual(await scratch.files.locate(rawPath));
  });

  it.each(REFUSED)("%s is refused with %s (%s)", async (rawPath, code, message) => {
    const result = await scratch.files.locate(rawPath);
    expect(codeOf(result)).toBe(code);
    expect(result).toMatchObject({ fault: { message: expect.stringContaining(message), hint: expect.any(String) } });
  });

  it("tells the size of a file, and 0 for what is none", async () => {
    expect(unwrap(await scratch.files.locate("relative")).bytes).toBe(5);
    expect(unwrap(await scratch.files.locate("dir")).bytes).toBe(0);
  });

  it("names no absolute path in a message", async () => {
    for (const [rawPath] of REFUSED) {
      const result = await scratch.files.locate(rawPath);
      expect(JSON.stringify(result)).not.toContain(scratch.workspace);
    }
  });
});
