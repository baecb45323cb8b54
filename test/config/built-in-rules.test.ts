import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/config/built-in-rules.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { FileTouchKind } from "../../src/domain/touch.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { closedPlaces } from "../../src/tools/sandboxed/closed-places.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { loaded, openScratch } from "./scratch.ts";

const ALLOW_ALL = "rules: [{ id: all, effect: allow }]";

describe("against a config that allows everything", () => {
  it.each<[kind: FileTouchKind, file: string, ruleId: string]>([
    ["read", ".toolgate", "builtin:own-state"],
    ["read", ".toolgate/ledger.db", "builtin:own-state"],
    ["write", ".toolgate/ledger.db", "builtin:own-state"],
    ["delete", ".toolgate/a/b", "builtin:own-state"],
    ["write", ".toolgate-not", "all"],
    ["write", "a/.toolgate/x", "all"],
    ["write", "toolgate.yaml", "builtin:own-config"],
    ["delete", "toolgate.yaml", "builtin:own-config"],
    ["read", "toolgate.yaml", "all"],
    ["write", "toolgate.yml", "all"],
    ["write", "home/.local/state/toolgate/trusted", "builtin:own-config"],
    ["delete", "home/.local/state/toolgate/trusted-code", "builtin:own-config"],
    ["write", "home/.local/state/toolgate/trusted-code/v1/a", "builtin:own-config"],
    ["write", "home/.local/state/toolgate/trusted2", "all"],
    ["write", "home/.local/state/toolgate/other/trusted-code", "all"],
  ])("%s %s: %s", (kind, file, ruleId) => {
    using scratch = openScratch();
    const path = scratch.put("toolgate.yaml", ALLOW_ALL);
    const { rules } = loaded(loadConfig({ path }));
    expect(rules.judge({ kind, path: join(scratch.folder, file) }, factsFor("t")).ruleId).toBe(ruleId);
  });
});

it("close what is trusted wherever a program makes it, and let other names be passed over", () => {
  const [, own] = builtInRules({ workspace: "/ws", stateDir: "/state", configPaths: [] });
  const closed = closedPlaces(own?.touch?.write ?? [], "/ws");
  const state = "/home/ann/.local/state/toolgate";
  const made = ["trusted", "trusted-code", "other"].map((name) => closed.matches(`${state}/${name}`));
  expect(made).toEqual([true, true, false]);
  expect(["trusted-code", "toolgate.yaml", "index.js"].map(closed.mayMatch)).toEqual([true, true, false]);
});

it("protect a config of another name, a link to it, and the name that `toolgate` would find", () => {
  using scratch = openScratch();
  scratch.put("ws/a");
  scratch.put("shared/gate.yaml", `workspace: ${join(scratch.folder, "ws")}\n${ALLOW_ALL}`);
  symlinkSync("../shared/gate.yaml", join(scratch.folder, "ws", "gate-link.yaml"));
  const { rules } = loaded(loadConfig({ path: join(scratch.folder, "ws", "gate-link.yaml") }));
  const denied = ["shared/gate.yaml", "ws/gate-link.yaml", "ws/toolgate.yaml"];
  for (const file of denied) {
    expect(rules.judge({ kind: "write", path: join(scratch.folder, file) }, factsFor("t")).ruleId).toBe(
      "builtin:own-config",
    );
  }
  expect(rules.judge({ kind: "write", path: join(scratch.folder, "shared", "a") }, factsFor("t")).ruleId).toBe("all");
});

describe("for any place of the state", () => {
  it.each<[stateDir: string, inside: string, outside: string | null]>([
    ["/w/.toolgate", "/w/.toolgate/x", "/w/x"],
    ["/w", "/w/x", "/wx"],
    ["/", "/x", null],
    ["/elsewhere/[a]*", "/elsewhere/[a]*/x", "/elsewhere/ab/x"],
    ["/w/..state", "/w/..state/x", "/w/x"],
  ])("%s", (stateDir, inside, outside) => {
    const compiled = compileRules(builtInRules({ workspace: "/w", stateDir, configPaths: ["/c{}.yaml"] }), {
      workspace: "/w",
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    const ruleFor = (path: string) => compiled.rules.judge({ kind: "read", path }, factsFor("t")).ruleId;
    expect(ruleFor(stateDir)).toBe("builtin:own-state");
    expect(ruleFor(inside)).toBe("builtin:own-state");
    if (outside !== null) expect(ruleFor(outside)).toBe(null);
    expect(compiled.rules.judge({ kind: "write", path: "/c{}.yaml" }, factsFor("t")).effect).toBe("deny");
  });
});
