import { expect, it } from "vitest";
import type { CheckedPath, HeldPath } from "../../src/ports/files.ts";
import { launchArguments, type MemoryBound, sandboxOptions } from "../../src/sandbox/bubblewrap-arguments.ts";

const LAUNCHERS = { bwrap: "/usr/bin/bwrap", prlimit: "/usr/bin/prlimit" };

const held = (path: string, kind: HeldPath["kind"]) =>
  ({ kind: "held", held: { path: path as CheckedPath, fd: 9, kind, [Symbol.dispose]: () => {} } }) as const;

it("limits what everything inherits, and memory by process only where no cgroup counts it", () => {
  const limits = { memoryBytes: 1000, openFiles: 7, cpuSeconds: 3 };
  const command = { argv: ["/p"], mounts: [], limits } as const;
  const words = (memory: MemoryBound) => launchArguments(command, LAUNCHERS, memory).slice(1, -4);
  const others = ["--core=0", "--fsize=0", "--nofile=7"];
  expect(words("of each process")).toEqual([...others, "--data=1000", "--cpu=3:4", "/usr/bin/bwrap"]);
  expect(words("counted")).toEqual([...others, "--cpu=3:4", "/usr/bin/bwrap"]);
});

it("puts limits first, then the sandbox, then the program; every path is a word of its own", () => {
  const mounts = [
    { kind: "installed", path: "/opt/p", at: "/p" } as const,
    held("/w/.gitignore", "file"),
    held("/w/--bind / /", "directory"),
  ];
  const limits = { memoryBytes: 1000, openFiles: 7 };
  const command = { argv: ["/p", "--", "-x"], mounts, limits } as const;
  const argv = launchArguments(command, LAUNCHERS, "of each process");
  const options = sandboxOptions(command, { options: [], bound: [], path: [] }, "/.ready");
  const binds = options.flatMap((word, i) => (word === "--ro-bind" ? [options.slice(i + 1, i + 3)] : []));
  expect(binds).toEqual([
    ["/opt/p", "/p"],
    ["/w/.gitignore", "/w/.gitignore"],
    ["/w/--bind / /", "/w/--bind / /"],
  ]);
  expect(argv.slice(0, 7)).toEqual([
    "/usr/bin/prlimit",
    "--core=0",
    "--fsize=0",
    "--nofile=7",
    "--data=1000",
    "/usr/bin/bwrap",
    "--args",
  ]);
  expect(argv.slice(-4)).toEqual(["--", "/p", "--", "-x"]);
});
