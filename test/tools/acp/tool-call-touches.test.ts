import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Touch } from "../../../src/domain/touch.ts";
import { openFiles } from "../../../src/files/open-files.ts";
import { openPrograms } from "../../../src/files/open-programs.ts";
import { toolCallTouches } from "../../../src/tools/acp/tool-call-touches.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

const inWords = (touch: Touch): string => {
  switch (touch.kind) {
    case "exec":
      return `exec ${touch.argv.map(({ text }) => text).join(" ")}`;
    case "connect":
      return `connect ${touch.host}:${touch.port}`;
    case "unknown":
      return "unknown";
    default:
      return "path" in touch ? `${touch.kind} ${touch.path.split("/ws").at(-1)}${touch.tree ? "/**" : ""}` : touch.kind;
  }
};

/** What an agent says, and what is made of it. `WS` is the workspace. */
const CASES: readonly (readonly [JsonObject, readonly string[]])[] = [
  [{ kind: "read", locations: [{ path: "WS/a.txt" }] }, ["read /a.txt"]],
  [{ kind: "read", locations: [{ path: "WS/dir" }] }, ["read /dir/**"]],
  [{ kind: "read", rawInput: { file_path: "a.txt" } }, ["read /a.txt"]],
  [{ kind: "read", rawInput: { uri: "file://WS/a.txt" } }, ["read /a.txt"]],
  [{ kind: "read", rawInput: { paths: ["a.txt", "b.txt"] } }, ["read /a.txt", "read /b.txt"]],
  [{ kind: "read" }, ["unknown"]],
  [{ kind: "read", locations: "all" }, ["unknown", "unknown"]],
  [{ kind: "read", locations: [{ path: 7 }] }, ["unknown", "unknown"]],
  [{ kind: "read", rawInput: { path: { of: "a.txt" } } }, ["unknown", "unknown"]],
  [{ kind: "read", rawInput: { path: "link/../a.txt" } }, ["unknown", "unknown"]],
  [{ kind: "read", rawInput: { path: "dir/../a.txt" } }, ["read /a.txt"]],
  [{ kind: "read", locations: [{ path: "WS/a.txt" }], rawInput: { command: "ls" } }, ["read /a.txt", "exec ls"]],
  [{ kind: "edit", content: [{ type: "diff", path: "WS/a.txt", newText: "x" }] }, ["write /a.txt"]],
  [{ kind: "edit", content: [{ type: "diff", newText: "x" }] }, ["unknown", "unknown"]],
  [
    { kind: "read", locations: [{ path: "WS/a.txt" }], content: [{ type: "diff", path: "WS/b.txt", newText: "x" }] },
    ["read /a.txt", "write /b.txt"],
  ],
  [{ kind: "delete", locations: [{ path: "WS/a.txt" }] }, ["delete /a.txt"]],
  [
    { kind: "move", rawInput: { from: "a.txt", to: "b.txt" } },
    ["delete /a.txt", "write /a.txt", "delete /b.txt", "write /b.txt"],
  ],
  [{ kind: "execute", rawInput: { command: "ls -l" } }, ["exec ls -l"]],
  [{ kind: "execute", rawInput: { command: ["ls", "a b"] } }, ["exec ls a b"]],
  [{ kind: "execute", rawInput: { command: "ls", args: ["; rm x"] } }, ["exec ls ; rm x"]],
  [{ kind: "execute", rawInput: { command: "ls; rm x" } }, ["exec ls", "exec rm x"]],
  [{ kind: "execute", rawInput: { command: "$X" } }, ["unknown", "unknown"]],
  [{ kind: "execute", rawInput: { command: 7 } }, ["unknown", "unknown"]],
  [{ kind: "execute", rawInput: { command: "ls", cwd: 7 } }, ["unknown", "unknown"]],
  [{ kind: "execute", rawInput: { command: "ls", env: "A=1" } }, ["unknown", "unknown"]],
  [{ kind: "execute", title: "ls" }, ["unknown"]],
  [{ kind: "fetch", rawInput: { url: "https://example.com/x" } }, ["connect example.com:443"]],
  [{ kind: "fetch", rawInput: { url: "nowhere" } }, ["unknown", "unknown"]],
  [{ kind: "fetch" }, ["unknown"]],
  [{ kind: "think" }, ["unknown"]],
  [{ kind: "other", rawInput: { path: "a.txt" } }, ["read /a.txt", "unknown"]],
  [{ kind: "constructor", rawInput: { path: "a.txt" } }, ["read /a.txt", "unknown"]],
  [{ rawInput: "rm -rf /" }, ["unknown", "unknown"]],
  [{ kind: "read", locations: [{ path: "WS/a.txt" }], rawInput: "rm -rf /" }, ["read /a.txt", "unknown"]],
  [{ kind: "read", locations: [{ path: "WS/a.txt" }], rawInput: [{ command: "ls" }] }, ["read /a.txt", "unknown"]],
  [{ kind: "read", locations: [{ path: "WS/a.txt" }], rawInput: null }, ["read /a.txt"]],
  [{}, ["unknown"]],
];

const AT = (workspace: string) => (text: string) => text.replaceAll("WS", workspace);

it.each(CASES)("%j touches %j", async (call, expected) => {
  await using scratch = openScratchGate();
  const { workspace } = scratch;
  scratch.put("a.txt");
  scratch.put("dir/b.txt");
  mkdirSync(join(scratch.folder, "elsewhere/deep"), { recursive: true });
  symlinkSync(join(scratch.folder, "elsewhere/deep"), join(workspace, "link"));
  const files = openFiles({ workspace });
  const programs = openPrograms({ searchPath: ["/usr/bin", "/bin"], toolchains: [], writable: [workspace] });
  const placed = JSON.parse(AT(workspace)(JSON.stringify(call))) as JsonObject;
  const touches = await toolCallTouches(placed, workspace, { files, programs });
  expect(touches.map(inWords)).toEqual(expected);
});
