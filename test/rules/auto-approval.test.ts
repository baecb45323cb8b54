import { describe, expect, it } from "vitest";
import type { Touch } from "../../src/domain/touch.ts";
import {
  type Approvable,
  type AutoApprovalSource,
  belowWorkspace,
  compileAutoApproval,
} from "../../src/rules/auto-approval.ts";

const WORKSPACE = "/ws";

const BARE: AutoApprovalSource = {
  ...{ id: "p", appliesTo: [], includePaths: [], excludePaths: [], parameters: {}, commandPrefix: null },
  ...{ reason: null, optionId: null, skipsGovernors: false },
};

function approves(source: Partial<AutoApprovalSource>, call: Partial<Approvable>): boolean {
  const compiled = compileAutoApproval({ ...BARE, ...source }, WORKSPACE);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.policy.approves({ tool: "write_file", input: {}, touches: writes("/ws/a"), paths: [], ...call });
}

const writes = (...paths: readonly string[]): readonly Touch[] => paths.map((path) => ({ kind: "write", path }));
const about = (...paths: readonly string[]): Pick<Approvable, "touches" | "paths"> => ({
  touches: writes(...paths),
  paths: paths.map((path) => ({ path })),
});
const EXEC: Touch = { kind: "exec", program: "/usr/bin/curl", origin: "toolchain", argv: [] };
const UNKNOWN: Touch = { kind: "unknown", reason: "no idea" };

describe("a policy that approves", () => {
  it.each([
    [[], "anything", true],
    [["write_file"], "write_file", true],
    [["write_file"], "Write_file", false],
    [["write_*"], "write_file", true],
    [["read_*"], "write_file", false],
  ])("is about the tools %j: %s %s", (appliesTo, tool, said) => {
    expect(approves({ appliesTo }, { tool })).toBe(said);
  });

  it.each([
    [["docs/**"], ["/ws/docs/a.md", "/ws/docs/b/c.md"], true],
    [["docs/**"], ["/ws/docs/a.md", "/ws/src/a.ts"], false],
    [["docs/**"], ["/ws/docs-evil/a.md"], false],
    [["docs/**"], [], false],
    [["*.md"], ["/ws/README.md"], true],
    [["*.md"], ["/ws/docs/a.md"], false],
    [["**/*.md"], ["/ws/README.md", "/ws/docs/a/b.md"], true],
    [["**/*.md"], ["/home/ann/secret.md"], false],
    [["/srv/**"], ["/srv/x"], true],
    [["./docs/**"], ["/ws/docs/x"], true],
    [["."], ["/ws"], true],
  ])("is about all paths or none: %j for %j is %s", (includePaths, paths, said) => {
    expect(approves({ includePaths }, about(...paths))).toBe(said);
  });

  it("is not about what it excludes", () => {
    const source = { includePaths: ["docs/**"], excludePaths: ["docs/secret/**"] };
    expect(approves(source, about("/ws/docs/a"))).toBe(true);
    expect(approves(source, about("/ws/docs/a", "/ws/docs/secret/b"))).toBe(false);
    expect(approves({ excludePaths: ["docs/**"] }, about("/ws/src/a"))).toBe(true);
    expect(approves({ excludePaths: ["docs/**"] }, about("/ws/docs/a"))).toBe(false);
  });

  it.each([
    [["docs/**"], [], true],
    [["docs/*"], [], false],
    [["*"], [], false],
    [["docs/**"], ["docs/secret"], false],
  ])("is about a whole folder only where it says so: %j without %j is %s", (includePaths, excludePaths, said) => {
    const tree: Pick<Approvable, "touches" | "paths"> = {
      touches: [{ kind: "read", path: "/ws/docs", tree: true }],
      paths: [{ path: "/ws/docs", tree: true }],
    };
    expect(approves({ includePaths, excludePaths }, tree)).toBe(said);
  });

  it("says nothing about what else a tool does, unless it names the tool", () => {
    const call = { touches: [EXEC], paths: [{ path: "/ws/docs/a" }], tool: "functions.write" };
    expect(approves({ includePaths: ["docs/**"] }, call)).toBe(false);
    expect(approves({ includePaths: ["docs/**"], appliesTo: ["functions.*"] }, call)).toBe(false);
    expect(approves({ includePaths: ["docs/**"], appliesTo: ["functions.write"] }, call)).toBe(true);
    expect(approves({}, { ...call, touches: [EXEC] })).toBe(true);
    expect(approves({}, { ...call, touches: [UNKNOWN] })).toBe(false);
    expect(approves({ appliesTo: ["functions.write"] }, { ...call, touches: [UNKNOWN] })).toBe(true);
  });

  it("wants arguments to be as it says", () => {
    const source = { parameters: { mode: "safe", list: [{ a: 1, b: 2 }] } };
    expect(approves(source, { input: { list: [{ b: 2, a: 1 }], mode: "safe", more: 1 } })).toBe(true);
    expect(approves(source, { input: { list: [{ b: 2, a: 1 }], mode: "Safe" } })).toBe(false);
    expect(approves(source, { input: { mode: "safe" } })).toBe(false);
    expect(approves({ parameters: { toString: "x" } }, { input: {} })).toBe(false);
  });

  it.each([
    [["git", "status"], true],
    [["git", "status", "-s"], true],
    [["git"], false],
    [["git", "push"], false],
    ["git status", false],
    [undefined, false],
  ])("wants a command to begin so: %j is %s", (command, said) => {
    const input = command === undefined ? {} : { command };
    expect(approves({ commandPrefix: ["git", "status"] }, { input })).toBe(said);
  });

  it("that can't be read is a problem, each of them", () => {
    const compiled = compileAutoApproval(
      { ...BARE, appliesTo: ["a", "b?"], includePaths: ["docs/[a]"], excludePaths: ["", "x/../y"] },
      WORKSPACE,
    );
    expect(compiled).toMatchObject({
      ok: false,
      problems: [
        { field: "applies_to", index: 1 },
        { field: "include_paths", index: 0 },
        { field: "exclude_paths", index: 0 },
        { field: "exclude_paths", index: 1 },
      ],
    });
  });
});

it.each([
  ["docs/**", "./docs/**"],
  [".env", "./.env"],
  ["..", "./.."],
  ["./a", "./a"],
  [".", "."],
  ["/a", "/a"],
  ["**/a", "./**/a"],
])("what does not begin at the root begins in the workspace: %s", (pattern, own) => {
  expect(belowWorkspace(pattern)).toBe(own);
});

describe("a policy that objects, where no rule can see", () => {
  const objects = (source: Partial<AutoApprovalSource>, call: Partial<Approvable>): boolean => {
    const compiled = compileAutoApproval({ ...BARE, ...source }, WORKSPACE);
    return compiled.ok && compiled.objects({ tool: "up_write", input: {}, paths: [], ...call });
  };

  it("is about the tools that it names, and about any of the paths", () => {
    const docs = { includePaths: ["docs/**"], excludePaths: ["docs/open/**", "docs/b"] };
    const paths = [{ path: "/ws/src/a" }, { path: "/ws/docs/a" }];
    expect(objects(docs, { paths })).toBe(true);
    expect(objects({ ...docs, appliesTo: ["up_*"] }, { paths })).toBe(true);
    expect(objects({ ...docs, appliesTo: ["other"] }, { paths })).toBe(false);
    expect(objects(docs, { paths: paths.slice(0, 1) })).toBe(false);
    expect(objects(docs, { paths: [{ path: "/ws/docs/open/a" }, { path: "/ws/docs/b" }] })).toBe(false);
    expect(objects({}, { paths })).toBe(false);
  });

  it.each([
    ["**/*.pem", "/ws", true],
    ["**/*.pem", "/ws/deep/er", true],
    ["docs/keys/**", "/ws/docs", true],
    ["docs/keys/**", "/ws/docs/keys/more", true],
    ["docs/keys/**", "/ws/src", false],
  ])("is about a folder by what may lie in it: %s in %s is %s", (pattern, path, said) => {
    expect(objects({ includePaths: [pattern] }, { paths: [{ path, tree: true }] })).toBe(said);
  });

  it("leaves a folder out only where all of it is", () => {
    const paths = [{ path: "/ws/docs", tree: true as const }];
    expect(objects({ includePaths: ["**"], excludePaths: ["docs/**"] }, { paths })).toBe(false);
    expect(objects({ includePaths: ["**"], excludePaths: ["docs"] }, { paths })).toBe(true);
  });

  it("is about commands that are lists", () => {
    const git = { commandPrefix: ["git", "push"] };
    expect(objects(git, { input: { command: ["git", "push", "-f"] } })).toBe(true);
    expect(objects(git, { input: { command: ["git", "pull"] } })).toBe(false);
  });
});
