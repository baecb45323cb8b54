import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { HeldPath } from "../../src/ports/files.ts";
import type { Mount } from "../../src/ports/sandbox.ts";
import { mountedAsHeld } from "../../src/sandbox/mounted-as-held.ts";
import { openScratch, type Scratch, unwrap } from "../files/scratch.ts";
import { needs } from "../support/parts.ts";

/** A process that sees this machine with these mounts over it, whatever bubblewrap would have been told. */
async function processWith(options: readonly string[]): Promise<AsyncDisposable & { readonly pid: number }> {
  const shell = ["/bin/sh", "-c", "echo $$; read end"];
  const child = spawn("bwrap", ["--ro-bind", "/", "/", ...options, "--", ...shell], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [pid] = (await once(child.stdout, "data")) as [Buffer];
  const gone = once(child, "close");
  const end = async () => {
    child.stdin.end();
    await gone;
  };
  return { pid: Number(pid.toString()), [Symbol.asyncDispose]: end };
}

interface Places {
  readonly ws: string;
  readonly sub: string;
  readonly file: string;
  readonly outside: string;
}

const hold = async ({ files, checked }: Scratch, path: string, kind: HeldPath["kind"] = "directory") =>
  unwrap(await files.hold(await checked(path), kind));

type Asked = "kept-read" | "kept-write" | "hidden" | "empty";
type Case = [name: string, expected: "same" | "changed", over: (places: Places) => readonly string[], asked: Asked];

const HIDDEN_FILE = ({ file }: Places) => ["--ro-bind", "/dev/null", file];
const HIDDEN_FOLDER = ({ sub }: Places) => ["--perms", "0000", "--tmpfs", sub, "--remount-ro", sub];
const EMPTY_FOLDER = ({ sub }: Places) => ["--perms", "0555", "--tmpfs", sub, "--remount-ro", sub];
const HIDDEN = (places: Places) => [...HIDDEN_FILE(places), ...HIDDEN_FOLDER(places)];

needs("bwrap")("what is mounted in a sandbox", () => {
  it("is not ready before its last folder is there", async () => {
    expect(mountedAsHeld(process.pid, "/nosuch-folder", [])).toBe("not ready");
    expect(mountedAsHeld(2 ** 30, "/usr", [])).toBe("not ready");
    expect(mountedAsHeld(process.pid, "/usr", [])).toBe("same");
  });

  it.each<Case>([
    ["the folder that is kept", "same", ({ sub }) => ["--ro-bind", sub, sub], "kept-read"],
    ["the folder that stays in its place", "same", ({ sub }) => ["--bind", sub, sub], "kept-write"],
    ["nothing", "changed", () => [], "kept-read"],
    ["a folder of the machine", "changed", ({ sub, outside }) => ["--ro-bind", outside, sub], "kept-read"],
    ["a folder of the machine to write", "changed", ({ sub, outside }) => ["--bind", outside, sub], "kept-write"],
    ["the folder that is kept, writable", "changed", ({ sub }) => ["--bind", sub, sub], "kept-read"],
    ["the folder above", "changed", ({ sub, ws }) => ["--ro-bind", ws, sub], "kept-read"],
    ["one mount more", "changed", ({ sub, ws }) => ["--ro-bind", sub, sub, "--bind", ws, `${ws}/more`], "kept-read"],
    ["what hides", "same", HIDDEN, "hidden"],
    ["what hides the folder only", "changed", HIDDEN_FOLDER, "hidden"],
    ["what hides the file only", "changed", HIDDEN_FILE, "hidden"],
    [
      "an empty folder, for one to look into",
      "changed",
      (all) => [...HIDDEN_FILE(all), ...EMPTY_FOLDER(all)],
      "hidden",
    ],
    ["an empty folder", "same", EMPTY_FOLDER, "empty"],
    ["a folder that nobody can look into", "changed", HIDDEN_FOLDER, "empty"],
    [
      "a folder of the machine, for an empty one",
      "changed",
      ({ sub, outside }) => ["--ro-bind", outside, sub],
      "empty",
    ],
    ["a file over a file", "changed", (all) => [...HIDDEN(all), "--ro-bind", "/etc/passwd", all.file], "hidden"],
    ["a folder over a folder", "changed", (all) => [...HIDDEN(all), "--ro-bind", all.outside, all.sub], "hidden"],
    ["a new folder over a folder", "changed", (all) => [...HIDDEN(all), "--tmpfs", all.sub], "hidden"],
  ])("over a folder: %s is %s", async (_, expected, over, asked) => {
    using scratch = openScratch();
    const { workspace: ws, outside } = scratch;
    const places = { ws, outside, sub: join(ws, "sub"), file: scratch.put("sub.txt") };
    for (const name of ["sub", "more"]) mkdirSync(join(ws, name));
    using held = await hold(scratch, ".");
    using sub = await hold(scratch, "sub");
    const covers: Readonly<Record<Asked, readonly Mount[]>> = {
      "kept-read": [{ kind: "kept", held: sub, access: "read" }],
      "kept-write": [{ kind: "kept", held: sub, access: "write" }],
      hidden: [
        { kind: "hidden", path: places.file, as: "file" },
        { kind: "hidden", path: places.sub, as: "directory" },
      ],
      empty: [{ kind: "hidden", path: places.sub, as: "empty" }],
    };
    await using seen = await processWith(["--bind", ws, ws, ...over(places)]);
    const mounts: readonly Mount[] = [{ kind: "held", held, access: "write" }, ...covers[asked]];
    expect(mountedAsHeld(seen.pid, "/usr", mounts)).toBe(expected);
  });

  it.each([
    ["read", "--ro-bind", "same"],
    ["read", "--bind", "changed"],
    ["write", "--bind", "same"],
    ["write", "--ro-bind", "same"], // of what nobody may write here
  ] as const)("is held for a %s, mounted by %s: %s", async (access, option, expected) => {
    using scratch = openScratch();
    const file = scratch.put("a.txt");
    using folder = await hold(scratch, ".");
    using held = await hold(scratch, "a.txt", "file");
    const { workspace } = scratch;
    await using seen = await processWith([option, workspace, workspace, option, file, file]);
    const mounts: readonly Mount[] = [
      { kind: "held", held: folder, access },
      { kind: "held", held, access },
    ];
    expect(mountedAsHeld(seen.pid, "/usr", mounts)).toBe(expected);
    // The same folder, but no mount of its own.
    expect(mountedAsHeld(process.pid, "/usr", mounts)).toBe("changed");
  });

  it("stays what it was when its name leads elsewhere afterwards, and is not taken for another", async () => {
    using scratch = openScratch();
    scratch.put("dir/a.txt");
    using held = await hold(scratch, "dir");
    await using seen = await processWith(["--ro-bind", held.path, held.path]);
    const found = () => mountedAsHeld(seen.pid, "/usr", [{ kind: "held", held }]);
    expect(found()).toBe("same");
    renameSync(held.path, join(scratch.workspace, "moved"));
    expect(found()).toBe("changed");
    symlinkSync(scratch.outside, held.path);
    expect(found()).toBe("changed");
  });
});
