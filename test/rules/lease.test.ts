import { describe, expect, it } from "vitest";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { isExpired, outsideLease } from "../../src/rules/lease.ts";

const WORKSPACE = "/workspace";
const reading = (path: string): Touch => ({ kind: "read", path });
const writing = (path: string): Touch => ({ kind: "write", path });
const deleting = (path: string): Touch => ({ kind: "delete", path });
const tree = (path: string): Touch => ({ kind: "read", path, tree: true });
const connecting: Touch = { kind: "connect", host: "example.org", port: 443, scheme: "https" };

const NOTHING: Lease = { id: "nothing", tools: [], read: [], write: [], expiresAtMs: null };
const ANY_TOOL: Lease = { ...NOTHING, tools: "everything" };

describe("what a lease covers", () => {
  it.each<[string, Lease, tool: string, touches: Touch[], outside: string | null]>([
    ["everything", EVERYTHING, "t", [reading("/etc/passwd"), writing("/x"), deleting("/x"), connecting], null],
    ["no tool", NOTHING, "t", [], "tool `t`"],
    ["a listed tool", { ...NOTHING, tools: ["t"] }, "t", [], null],
    ["a listed tool, exactly", { ...NOTHING, tools: ["t*"] }, "tt", [], "tool `tt`"],
    ["an empty list is nothing", ANY_TOOL, "t", [reading("/workspace/a")], "read `a`"],
    ["reading below", { ...ANY_TOOL, read: ["./a/**"] }, "t", [reading("/workspace/a/b")], null],
    ["reading beside", { ...ANY_TOOL, read: ["./a/**"] }, "t", [reading("/workspace/ab")], "read `ab`"],
    ["reading elsewhere", { ...ANY_TOOL, read: ["./**"] }, "t", [reading("/etc/x")], "read `../etc/x`"],
    ["reading does not write", { ...ANY_TOOL, read: "everything" }, "t", [writing("/workspace/a")], "write `a`"],
    ["writing does not read", { ...ANY_TOOL, write: "everything" }, "t", [reading("/workspace/a")], "read `a`"],
    ["writing writes", { ...ANY_TOOL, write: ["./a"] }, "t", [writing("/workspace/a")], null],
    ["writing deletes", { ...ANY_TOOL, write: ["./a"] }, "t", [deleting("/workspace/a")], null],
    ["not beside", { ...ANY_TOOL, write: ["./a"] }, "t", [deleting("/workspace/b")], "delete `b`"],
    [
      "the first outside",
      { ...ANY_TOOL, read: ["./a"] },
      "t",
      [reading("/workspace/a"), connecting],
      "connect `example.org:443`",
    ],
    ["no host without tools", { ...EVERYTHING, tools: ["t"] }, "t", [connecting], "connect `example.org:443`"],
    ["no host without reading", { ...EVERYTHING, read: ["/**"] }, "t", [connecting], "connect `example.org:443`"],
    ["no host without writing", { ...EVERYTHING, write: ["/**"] }, "t", [connecting], "connect `example.org:443`"],
    ["a bad pattern grants nothing", { ...ANY_TOOL, read: ["a/**"] }, "t", [reading("/workspace/a/b")], "read `a/b`"],
    ["a whole tree", { ...ANY_TOOL, read: ["./a/**"] }, "t", [tree("/workspace/a")], null],
    ["a tree below", { ...ANY_TOOL, read: ["./a/**"] }, "t", [tree("/workspace/a/b")], null],
    [
      "a tree that is wider",
      { ...ANY_TOOL, read: ["./a/**"] },
      "t",
      [tree("/workspace")],
      "read `.` and everything below it",
    ],
    [
      "a tree's root alone",
      { ...ANY_TOOL, read: ["./a"] },
      "t",
      [tree("/workspace/a")],
      "read `a` and everything below it",
    ],
    ["a detour is outside", { ...ANY_TOOL, read: ["/a/**"] }, "t", [reading("/a/../b")], "read `../a/../b`"],
  ])("%s", (_, lease, tool, touches, outside) => {
    expect(outsideLease(lease, tool, touches, WORKSPACE)).toBe(outside);
    expect(outsideLease(lease, tool, touches, WORKSPACE)).toBe(outside); // from the cache
  });

  it("depends on the workspace also when the lease was seen before", () => {
    const lease: Lease = { ...ANY_TOOL, read: ["./**"] };
    expect(outsideLease(lease, "t", [reading("/workspace/a")], WORKSPACE)).toBe(null);
    expect(outsideLease(lease, "t", [reading("/workspace/a")], "/other")).toBe("read `../workspace/a`");
  });
});

it.each<[expiresAtMs: number | null, nowMs: number, expired: boolean]>([
  [null, Number.MAX_SAFE_INTEGER, false],
  [1000, 999, false],
  [1000, 1000, true],
  [1000, 1001, true],
])("a lease until %s is expired at %s: %s", (expiresAtMs, nowMs, expired) =>
  expect(isExpired({ ...EVERYTHING, expiresAtMs }, nowMs)).toBe(expired),
);
