import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed, RUN_ALL, type RunningGate } from "../../support/running-gate.ts";
import { codeOf } from "../../support/scratch-gate.ts";

const RULES = [
  ...RUN_ALL,
  { id: "files", effect: "allow", touch: { read: ["./**"], write: ["./**"], delete: ["./**"] } },
  { id: "secrets", effect: "deny", touch: { read: ["./**/.env", "./**/.keys/**", "./closed/exact.txt"] } },
  { id: "machinery", effect: "deny", touch: { write: ["./**/.npmrc"], delete: ["./**/.npmrc"] } },
] as const;

/** Closed names that are links, each to something with an open name. */
function openWithLinks(): RunningGate {
  const scratch = openRunningGate(RULES);
  for (const path of ["config/env", "config/npm", "store/key", "open/exact.txt", "plain"])
    scratch.put(path, `content of ${path}`);
  const link = (target: string, path: string) => symlinkSync(target, join(scratch.workspace, path));
  link("config/env", ".env");
  link("../config/env", "open/.env");
  link(".env", "twice");
  link("config/npm", ".npmrc");
  link("store", ".keys");
  link("open", "closed");
  link("plain", "harmless");
  return scratch;
}

describe("a deny on a name closes a link of that name", () => {
  it.each([
    ["read_file", { path: ".env" }, "RULE_DENY"],
    ["read_file", { path: "open/.env" }, "RULE_DENY"],
    ["read_file", { path: "twice" }, "RULE_DENY"],
    ["read_file", { path: ".keys/key" }, "RULE_DENY"],
    ["read_file", { path: "open/../.keys/./key" }, "RULE_DENY"],
    ["read_file", { path: "closed/exact.txt" }, "RULE_DENY"],
    ["list_directory", { path: ".keys" }, "RULE_DENY"],
    ["list_directory", { path: ".keys", recursive: true }, "RULE_DENY"],
    ["search_files", { path: ".keys", query: "content" }, "RULE_DENY"],
    ["write_file", { path: ".npmrc", content: "evil" }, "RULE_DENY"],
    ["edit_file", { path: ".npmrc", edits: [{ type: "replace", oldText: "content", newText: "evil" }] }, "RULE_DENY"],
    ["delete_file", { path: ".npmrc" }, "RULE_DENY"],
    ["run_command", { command: "cat < .env" }, "RULE_DENY"],
    ["run_command", { command: "echo evil > .npmrc" }, "RULE_DENY"],
    // What a rule says nothing about stays open, under its own name and by other links.
    ["read_file", { path: "harmless" }, "completed"],
    ["read_file", { path: "config/env" }, "completed"],
    ["read_file", { path: ".npmrc" }, "completed"],
    ["read_file", { path: "open/exact.txt" }, "completed"],
    ["write_file", { path: "harmless", content: "new" }, "completed"],
  ] as const)("%s %j: %s", async (tool, input, expected) => {
    await using scratch = openWithLinks();
    expect(codeOf(await scratch.gate.call({ tool, input }))).toBe(expected);
  });
});

needs("bwrap", "prlimit")("a program", () => {
  it.each([
    ["cat .env", "content of config/env"],
    ["cat config/env", "content of config/env"],
    ["cat .keys/key", "content of store/key"],
    ["cat twice", "content of config/env"],
  ])("reads nothing that a closed link leads to: %s", async (command, content) => {
    await using scratch = openWithLinks();
    scratch.put("read.sh", `${command}; cat plain`);
    const said = printed(await scratch.run("bash read.sh"));
    expect([said.includes(content), said.includes("content of plain")]).toEqual([false, true]);
  });

  it("changes nothing that a closed link leads to", async () => {
    await using scratch = openWithLinks();
    scratch.put("change.sh", "echo evil > .npmrc; echo evil > config/npm; mv config/npm away; echo evil > open/x");
    expect(codeOf(await scratch.run("bash change.sh"))).toBe("TOOL_FAILED");
    expect(scratch.text("config/npm")).toBe("content of config/npm");
  });

  it("starts although a closed link leads nowhere, out of the tree, or in a circle", async () => {
    await using scratch = openRunningGate(RULES);
    for (const [folder, target] of Object.entries({ a: "/nowhere", b: "/etc/hosts", c: ".env" })) {
      scratch.put(`${folder}/plain`);
      symlinkSync(target, join(scratch.workspace, folder, ".env"));
    }
    expect(codeOf(await scratch.run("true"))).toBe("completed");
  });
});
