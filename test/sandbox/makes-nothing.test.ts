import { expect, it } from "vitest";
import type { CheckedPath, HeldPath } from "../../src/ports/files.ts";
import type { Mount } from "../../src/ports/sandbox.ts";
import { makesNothing } from "../../src/sandbox/makes-nothing.ts";

const at = (path: string, kind: HeldPath["kind"] = "directory"): HeldPath => ({
  ...{ path: path as CheckedPath, kind, fd: -1 },
  [Symbol.dispose]: () => {},
});
const held = (path: string, access: "read" | "write", kind?: HeldPath["kind"]): Mount => ({
  ...{ kind: "held", held: at(path, kind), access },
});
const kept = (path: string, access: "read" | "write"): Mount => ({ kind: "kept", held: at(path), access });
const hidden = (path: string, as: "file" | "directory"): Mount => ({ kind: "hidden", path, as });

it.each<[string, boolean, readonly Mount[], string?]>([
  ["nothing", true, []],
  ["a folder to read", true, [held("/w", "read")]],
  ["a folder to write", true, [held("/w", "write")]],
  ["two folders beside one another", true, [held("/w", "write"), held("/w2", "read")]],
  ["a hidden folder directly in what can't be written", true, [held("/w", "read"), hidden("/w/x", "directory")]],
  ["a hidden folder in what can be written", false, [held("/w", "write"), hidden("/w/x", "directory")]],
  ["a hidden folder further down", false, [held("/w", "read"), hidden("/w/a/x", "directory")]],
  ["a hidden file", false, [held("/w", "read"), hidden("/w/x", "file")]],
  ["a kept folder", false, [held("/w", "write"), kept("/w/x", "read")]],
  ["the same folder, kept", true, [held("/w", "write"), kept("/w", "read")]],
  ["a folder to write in one to read", true, [held("/w", "read"), held("/w/x", "write")]],
  ["a file to write in a folder to read", false, [held("/w", "read"), held("/w/x", "write", "file")]],
  [
    "what hides in a folder to write in one to read",
    false,
    [...[held("/w", "read"), held("/w/x", "write"), hidden("/w/x/y", "directory")]],
  ],
  ["a part of the installation in it", false, [held("/w", "read"), { kind: "installed", path: "/usr", at: "/w/usr" }]],
  ["a folder of its own elsewhere", true, [held("/w", "write")], "/tmp/own"],
  ["a folder of its own in what is held", false, [held("/tmp", "write")], "/tmp/own"],
])("%s: %s", (_, expected, mounts, ownFolder) => {
  const limits = { memoryBytes: 1, openFiles: 1 };
  const command = { argv: ["/bin/true"] as const, limits, mounts, ...(ownFolder !== undefined && { ownFolder }) };
  expect(makesNothing(command)).toBe(expected);
});
