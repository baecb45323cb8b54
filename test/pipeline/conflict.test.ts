import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Digest } from "../../src/domain/digest.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { conflict } from "../../src/pipeline/conflict.ts";

const read = (path: string): Touch => ({ kind: "read", path });
const tree = (path: string): Touch => ({ kind: "read", path, tree: true });
const write = (path: string): Touch => ({ kind: "write", path });
const del = (path: string): Touch => ({ kind: "delete", path });
const connect = (host: string): Touch => ({ kind: "connect", host, port: 443, scheme: "https" });
const model: Touch = { kind: "model", provider: "p", model: "m", tokensMax: 1 };
const exec: Touch = { kind: "exec", program: "/bin/ls", origin: "toolchain", argv: [] };
const git: Touch = { kind: "git", operation: "STATUS", arguments: [], repository: "/w" };
const tool: Touch = { kind: "tool", name: "t", definitionDigest: "0".repeat(64) as Digest };
const unknown: Touch = { kind: "unknown", reason: "r" };

/** [a, b, whether it matters which comes first] */
const CASES: readonly [string, Touch, Touch, boolean][] = [
  ["two reads of one file", read("/w/a"), read("/w/a"), false],
  ["two reads of one tree", tree("/w"), tree("/w"), false],
  ["a read and a write of one file", read("/w/a"), write("/w/a"), true],
  ["a read and a write of two files", read("/w/a"), write("/w/b"), false],
  ["names of which one begins the other", read("/w/a"), write("/w/ab"), false],
  ["two writes of one file", write("/w/a"), write("/w/a"), true],
  ["two writes of two files", write("/w/a"), write("/w/b"), false],
  ["a write and a delete of one file", write("/w/a"), del("/w/a"), true],
  ["two deletes of two files", del("/w/a"), del("/w/b"), false],
  ["a listing and a write in that folder", read("/w/d"), write("/w/d/a"), true],
  ["a listing and a delete further down", read("/w/d"), del("/w/d/e/f"), true],
  ["a listing and a write beside that folder", read("/w/d"), write("/w/e/a"), false],
  ["a file and another inside of it, as if it were a folder", write("/w/a"), write("/w/a/b"), true],
  ["a tree and a write in it", tree("/w/d"), write("/w/d/e/f"), true],
  ["a tree and a write of the folder itself", tree("/w/d"), write("/w/d"), true],
  ["a tree and a file beside the way to it", tree("/w/d/e"), write("/w/.gitignore"), true],
  ["a tree and a file that goes away beside the way to it", tree("/w/d/e"), del("/w/d/.gitignore"), true],
  ["a tree and a file in another folder", tree("/w/d"), write("/w/e/.gitignore"), false],
  ["a listing and a file beside the way to it", read("/w/d"), write("/w/.gitignore"), false],
  ["the root and anything that changes", tree("/"), del("/w/a"), true],
  ["a file in the root and a tree", write("/a"), tree("/w/d"), true],
  ["a connection and a read", connect("a.example"), read("/w/a"), false],
  ["a connection and a write", connect("a.example"), write("/w/a"), false],
  ["a connection to this machine and a write", connect("127.0.0.1"), write("/w/a"), true],
  ["a connection to this machine by name and a delete", connect("localhost"), del("/w/a"), true],
  ["one below that name", connect("x.localhost"), del("/w/a"), true],
  ["a connection to this machine in version 6", connect("::1"), write("/w/a"), true],
  ["a connection to this machine and a read", connect("localhost"), read("/w/a"), false],
  ["two connections to one host", connect("a.example"), connect("a.example"), true],
  ["two connections to two hosts", connect("a.example"), connect("b.example"), false],
  ["a model and a read", model, read("/w/a"), false],
  ["a model and a write", model, write("/w/a"), false],
  ["two models", model, model, false],
  ["a model and a connection", model, connect("a.example"), false],
  ...[exec, git, tool, unknown].flatMap((open): [string, Touch, Touch, boolean][] => [
    [`${open.kind} and a read`, open, read("/w/a"), true],
    [`${open.kind} and a connection`, open, connect("a.example"), true],
    [`${open.kind} and a model`, open, model, true],
    [`${open.kind} and itself`, open, open, true],
  ]),
];

describe("two calls conflict", () => {
  it.each(CASES)("%s", (_, a, b, expected) => {
    expect([conflict([a], [b]), conflict([b], [a])]).toEqual([expected, expected]);
  });

  it("when any of their touches do", () => {
    expect(conflict([read("/w/a"), write("/w/b")], [read("/w/c"), read("/w/b")])).toBe(true);
    expect(conflict([read("/w/a"), write("/w/b")], [read("/w/c"), read("/w/a")])).toBe(false);
  });

  it("not when one of them touches nothing, whatever the other does", () => {
    for (const touch of [exec, unknown, write("/")])
      expect([conflict([], [touch]), conflict([touch], [])]).toEqual([false, false]);
  });

  it("whichever is named first", () => {
    const some = fc.array(fc.constantFrom(...CASES.flatMap(([, a, b]) => [a, b])), { maxLength: 4 });
    void fc.assert(fc.property(some, some, (a, b) => conflict(a, b) === conflict(b, a)));
  });
});
