import { describe, expect, it } from "vitest";
import { digestOf } from "../../src/domain/digest.ts";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import type { ExecTouch, Touch, Word } from "../../src/domain/touch.ts";
import { isExpired, outsideLease, uncoveredBy } from "../../src/rules/lease.ts";

const WORKSPACE = "/workspace";
const reading = (path: string): Touch => ({ kind: "read", path });
const writing = (path: string): Touch => ({ kind: "write", path });
const deleting = (path: string): Touch => ({ kind: "delete", path });
const tree = (path: string): Touch => ({ kind: "read", path, tree: true });
const local: Touch = { kind: "connect", host: "localhost", port: 80, scheme: "http" };
const connecting: Touch = { kind: "connect", host: "example.org", port: 443, scheme: "https" };

const word = (text: string, more: Partial<Word> = {}): Word => ({ text, known: true, ...more });
const running = (text: string, more: Partial<ExecTouch> = {}): Touch => ({
  kind: "exec",
  program: "/usr/bin/x",
  origin: "toolchain",
  argv: text.split(" ").map((one) => word(one)),
  ...more,
});
const git = (operation: string, ...args: string[]): Touch => ({
  kind: "git",
  operation,
  arguments: args,
  repository: WORKSPACE,
});
const model: Touch = { kind: "model", provider: "anthropic", model: "opus", tokensMax: 1 };
const upstream = (name: string): Touch => ({ kind: "tool", name, definitionDigest: digestOf("d") });
const unknown: Touch = { kind: "unknown", reason: "a pipe" };

const NOTHING: Lease = {
  ...EVERYTHING,
  id: "nothing",
  tools: [],
  read: [],
  write: [],
  hosts: [],
  commands: [],
  models: [],
};
const ANY_TOOL: Lease = { ...NOTHING, tools: "everything" };

describe("what a lease covers", () => {
  it.each<[string, Lease, tool: string, touches: Touch[], outside: string | null]>([
    ["everything", EVERYTHING, "t", [reading("/etc/passwd"), writing("/x"), deleting("/x"), connecting], null],
    ["no tool", NOTHING, "t", [], "tool `t`"],
    ["a listed tool", { ...NOTHING, tools: ["t"] }, "t", [], null],
    ["tools by pattern", { ...NOTHING, tools: ["t*"] }, "tt", [], null],
    ["a tool in another case", { ...NOTHING, tools: ["t*"] }, "Tt", [], "tool `Tt`"],
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
    ["a host", { ...ANY_TOOL, hosts: ["*.org:443"] }, "t", [connecting], null],
    ["any host", { ...ANY_TOOL, hosts: "everything" }, "t", [connecting], null],
    ["another port", { ...ANY_TOOL, hosts: ["example.org:80"] }, "t", [connecting], "connect `example.org:443`"],
    ["this machine not by wildcard", { ...ANY_TOOL, hosts: ["*:*"] }, "t", [local], "connect `localhost:80`"],
    ["this machine by name", { ...ANY_TOOL, hosts: ["localhost:80"] }, "t", [local], null],
    ["a command", { ...ANY_TOOL, commands: ["npm run *"] }, "t", [running("npm run lint")], null],
    ["any command", { ...ANY_TOOL, commands: "everything" }, "t", [running("a b")], null],
    ["another command", { ...ANY_TOOL, commands: ["npm run *"] }, "t", [running("npm ci")], "exec `npm ci`"],
    [
      "no word that only bash knows",
      { ...ANY_TOOL, commands: ["npm **"] },
      "t",
      [running("npm", { argv: [word("npm"), word("$X", { known: false })] })],
      "exec `npm $X`; parts of it are known only at run time",
    ],
    ["a git operation", { ...ANY_TOOL, commands: ["git push origin **"] }, "t", [git("PUSH", "origin", "main")], null],
    ["another git operation", { ...ANY_TOOL, commands: ["git log **"] }, "t", [git("PUSH")], "git `PUSH`"],
    ["a model", { ...ANY_TOOL, models: ["anthropic/*"] }, "t", [model], null],
    ["another model", { ...ANY_TOOL, models: ["openai/*"] }, "t", [model], "model `anthropic/opus` (up to 1 tokens)"],
    ["the call's own upstream tool", { ...NOTHING, tools: ["up"] }, "up", [upstream("up")], null],
    ["a listed upstream tool", { ...NOTHING, tools: ["t", "up"] }, "t", [upstream("up")], null],
    ["another upstream tool", { ...NOTHING, tools: ["t"] }, "t", [upstream("up")], "tool `up`"],
    ["what can't be read, to who has everything else", { ...EVERYTHING, tools: ["t"] }, "t", [unknown], null],
    [
      "what can't be read, to nobody else",
      { ...EVERYTHING, models: ["*"] },
      "t",
      [unknown],
      "something that can't be read before it runs (a pipe)",
    ],
    [
      "both of two",
      { ...ANY_TOOL, read: ["./**"], within: { ...ANY_TOOL, read: ["/**"] } },
      "t",
      [reading("/workspace/a")],
      null,
    ],
    [
      "not what only the inner one covers",
      { ...EVERYTHING, within: { ...ANY_TOOL, read: ["./a"] } },
      "t",
      [reading("/workspace/b")],
      "read `b`",
    ],
    [
      "not what only the outer one covers",
      { ...ANY_TOOL, read: ["./a"], within: EVERYTHING },
      "t",
      [reading("/workspace/b")],
      "read `b`",
    ],
    ["no tool that the outer one does not name", { ...EVERYTHING, within: NOTHING }, "t", [], "tool `t`"],
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

  it("names the lease that something lies outside of, of those that it lies within", () => {
    const outer: Lease = { ...ANY_TOOL, id: "outer", read: ["./a", "./b"] };
    const lease: Lease = { ...ANY_TOOL, id: "inner", read: ["./b", "./c"], within: outer };
    const by = (path: string) => uncoveredBy(lease, "t", [reading(`/workspace/${path}`)], WORKSPACE)?.by.id ?? null;
    expect(["a", "b", "c"].map(by)).toEqual(["inner", null, "outer"]);
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
  expect(isExpired({ ...EVERYTHING, expiresAtMs }, { nowMs })).toBe(expired),
);

it("a lease is expired as soon as one that it lies within is", () => {
  const lease = { ...EVERYTHING, expiresAtMs: 2000, within: { ...EVERYTHING, expiresAtMs: 1000 } };
  expect([isExpired(lease, { nowMs: 999 }), isExpired(lease, { nowMs: 1000 })]).toEqual([false, true]);
});
