import { expect, it } from "vitest";
import type { CheckedPath, HeldPath } from "../../src/ports/files.ts";
import { launchOf } from "../../src/sandbox/bubblewrap-arguments.ts";

const LAUNCHERS = { bwrap: "/usr/bin/bwrap", prlimit: "/usr/bin/prlimit" };
const LIMITS = { memoryBytes: 1000, openFiles: 7 };

const held = (path: string, fd: number, kind: HeldPath["kind"]) =>
  ({ kind: "held", held: { path: path as CheckedPath, fd, kind, [Symbol.dispose]: () => {} } }) as const;

it("binds what is held by its descriptor, and closes that of the directory", () => {
  const mounts = [
    { kind: "installed", path: "/opt/p", at: "/p" } as const,
    held("/w/.gitignore", 31, "file"),
    held("/w/a b", 30, "directory"),
  ];
  const { argv, fds } = launchOf({ argv: ["/p", "--", "-x"], mounts, limits: LIMITS }, LAUNCHERS);
  expect(fds).toEqual([31, 30]);
  const line = argv.join(" ");
  expect(line).toContain(
    "--ro-bind /opt/p /p --ro-bind /proc/self/fd/4 /w/.gitignore --ro-bind /proc/self/fd/5 /w/a b",
  );
  expect(line).toContain("--block-fd 5");
  expect(line).not.toContain("--block-fd 4");
  expect(line).toMatch(/^\/usr\/bin\/prlimit .*--nofile=7 --data=1000 \/usr\/bin\/bwrap --unshare-all /);
  expect(line).toMatch(/ -- \/p -- -x$/);
});

it("takes no second directory, whose descriptor would stay open", () => {
  const mounts = [held("/a", 30, "directory"), held("/b", 31, "directory")];
  expect(() => launchOf({ argv: ["/p"], mounts, limits: LIMITS }, LAUNCHERS)).toThrow("at most one directory");
});
