import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { touchedPaths } from "../../src/approval/touched-paths.ts";
import type { PlannedCall } from "../../src/domain/call.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ToolSource } from "../../src/domain/tool.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { openFiles } from "../../src/files/open-files.ts";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-touched-")));
afterAll(() => rmSync(workspace, { recursive: true }));
mkdirSync(join(workspace, "docs/legal"), { recursive: true });
mkdirSync(join(workspace, "src/deep"), { recursive: true });
for (const name of ["docs/a.md", "docs/secret", "src/secret"]) writeFileSync(join(workspace, name), "");
symlinkSync("../src/deep", join(workspace, "docs/deep"));
symlinkSync("../src/secret", join(workspace, "docs/link"));

const files = openFiles({ workspace });
const RUNS: Touch = { kind: "exec", program: "/usr/bin/rm", origin: "toolchain", argv: [] };
const TOOL: Touch = { kind: "tool", name: "fs_write", definitionDigest: digestOfText("") };
const writes = (name: string): Touch => ({ kind: "write", path: join(workspace, name) });

interface Given {
  readonly source?: ToolSource;
  readonly touches?: readonly Touch[];
  readonly input?: JsonObject;
  readonly cwd?: string;
}

async function touched({ source = "script", touches = [RUNS], input = {}, cwd = workspace }: Given) {
  const call = { plan: { touches, input, workspace, sandbox: { cwd } }, tool: { definition: { source } } };
  const paths = await touchedPaths(call as unknown as PlannedCall, files);
  return paths.map(({ path, tree }) => `${path.slice(workspace.length + 1)}${tree ? "/**" : ""}`);
}

describe("the files that a call is about", () => {
  it("are those of its plan, where it does nothing else", async () => {
    expect(await touched({ source: "builtin", touches: [writes("docs/a.md"), writes("src/x")] })).toEqual([
      "docs/a.md",
      "src/x",
    ]);
  });

  it("are those that its arguments name, where a program of the operator's is run", async () => {
    const input = { path: ["docs/a.md", "docs/new.md"], file: "src/secret", uri: `file://${workspace}/docs/secret` };
    expect(await touched({ input })).toEqual(["docs/a.md", "docs/new.md", "src/secret", "docs/secret"]);
  });

  it("are those of both: what a program writes besides hides no argument", async () => {
    expect(await touched({ touches: [RUNS, writes("docs/log")], input: { path: "src/secret" } })).toEqual([
      "docs/log",
      "src/secret",
    ]);
    expect(await touched({ source: "mcp", touches: [TOOL, writes("docs/log")] })).toEqual(["docs/log"]);
  });

  it.each<[string, Given]>([
    ["a shell", { source: "builtin", touches: [RUNS, writes("docs/log")] }],
    ["a shell with such an argument", { source: "builtin", touches: [RUNS], input: { path: "docs/a.md" } }],
    ["a program that is told of none", { touches: [RUNS, writes("docs/log")] }],
    ["a program in a folder of its own", { input: { path: "docs/a.md" }, cwd: "/tmp" }],
    ["an argument that is no name", { input: { path: "docs/a.md", file: { name: "x" } } }],
    ["an address elsewhere", { input: { uri: "https://example.com/docs/a.md" } }],
    ["`..` behind a link", { input: { path: "docs/deep/../secret" } }],
  ])("are not known of %s", async (_, given) => {
    expect(await touched(given)).toEqual([]);
  });

  it("are where links lead, and `..` without one is what it says", async () => {
    expect(await touched({ input: { path: "docs/link" } })).toEqual(["src/secret"]);
    expect(await touched({ input: { path: "docs/legal/../a.md" } })).toEqual(["docs/a.md"]);
    expect(await touched({ input: { path: "../a.md" }, cwd: join(workspace, "docs/legal") })).toEqual(["docs/a.md"]);
  });

  it("are all that lie in a folder that is named", async () => {
    expect(await touched({ input: { path: "docs" } })).toEqual(["docs/**"]);
    expect(await touched({ input: { path: "docs/" } })).toEqual(["docs/**"]);
  });
});
