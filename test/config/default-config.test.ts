import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import type { FileTouchKind } from "../../src/domain/touch.ts";
import { touchesFromWords } from "../../src/rules/touches-from-words.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { needs } from "../support/parts.ts";
import { openRunningGate, printed } from "../support/running-gate.ts";
import { asKind } from "../support/scratch-gate.ts";
import { loaded, openScratch, problemsOf } from "./scratch.ts";

const load = (text: string) => {
  using scratch = openScratch();
  return loadConfig({ path: scratch.put("toolgate.yaml", text) });
};

it("loads without a problem", () => expect(problemsOf(load(DEFAULT_CONFIG))).toEqual([]));

it("loads also with the example in its comments taken in", () => {
  const withExample = DEFAULT_CONFIG.replaceAll(/^ {2}# (- id:| {2}\w+:)/gm, "  $1");
  expect(withExample).not.toBe(DEFAULT_CONFIG);
  const { rules } = loaded(load(withExample));
  expect(rules.judge({ kind: "read", path: "/usr/share/doc/x" }, factsFor("read_file")).ruleId).toBe("read-the-manual");
});

it("gives each rule a reason, and keeps its lines short", () => {
  expect(DEFAULT_CONFIG.match(/^ {2}- id:/gm)).toHaveLength(DEFAULT_CONFIG.match(/^ {4}because:/gm)?.length ?? 0);
  for (const line of DEFAULT_CONFIG.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
});

describe("what it says", () => {
  const config = loaded(load(DEFAULT_CONFIG));

  it.each<[kind: FileTouchKind, file: string, decision: string]>([
    ["read", "README.md", "allow by read-workspace"],
    ["read", ".", "allow by read-workspace"],
    ["read", "/etc/passwd", "deny by none"],
    ["read", ".env", "deny by keep-secrets-closed"],
    ["read", "a/.env.local", "deny by keep-secrets-closed"],
    ["read", "a/environment", "allow by read-workspace"],
    ["read", "tls/server.pem", "deny by keep-secrets-closed"],
    ["read", ".ssh/id_rsa", "deny by keep-secrets-closed"],
    ...[".npmrc", "a/.pgpass", ".kube/config", ".docker/config.json", "a/b/.pypirc", "infra/prod.tfstate"].map(
      (file) => ["read", file, "deny by keep-secrets-closed"] as [FileTouchKind, string, string],
    ),
    ...["infra/prod.tfstate.backup", ".envrc", "keys/id_ecdsa", "app/release.keystore", ".config/gcloud/x"].map(
      (file) => ["read", file, "deny by keep-secrets-closed"] as [FileTouchKind, string, string],
    ),
    ...["package.json", "kube/config", "docker/config.json", "npmrc", "a.tfstates", ".aws/config", "keys.ts"].map(
      (file) => ["read", file, "allow by read-workspace"] as [FileTouchKind, string, string],
    ),
    ...[
      ".codex/config.toml",
      "a/.gemini/settings.json",
      ".opencode/plugins/x.js",
      "opencode.json",
      ".roo/mcp.json",
    ].map((file) => ["write", file, "deny by protect-machinery"] as [FileTouchKind, string, string]),
    ...["AGENTS.md", "a/CLAUDE.md", ".github/hooks/x.json", ".agents/hooks.json", ".windsurfrules", ".clinerules"].map(
      (file) => ["write", file, "deny by protect-machinery"] as [FileTouchKind, string, string],
    ),
    ...["agents.md", ".github/workflows/ci.yml", "CLAUDE.md.bak", "src/gemini/a.ts"].map(
      (file) => ["write", file, "ask by write-workspace"] as [FileTouchKind, string, string],
    ),
    ["write", "src/a.ts", "ask by write-workspace"],
    ["write", "/etc/passwd", "deny by none"],
    ["write", ".git/hooks/pre-commit", "deny by protect-machinery"],
    ["write", "sub/.git", "deny by protect-repositories"],
    ["write", ".gitignore", "ask by write-workspace"],
    ["write", "a/.vscode/tasks.json", "deny by protect-machinery"],
    ["delete", "a/.mcp.json", "deny by protect-machinery"],
    ["delete", ".bashrc", "deny by protect-machinery"],
    ["delete", "src/a.ts", "ask by delete-workspace"],
    ["write", "toolgate.yaml", "deny by builtin:own-config"],
    ["read", ".toolgate/ledger.db", "deny by builtin:own-state"],
  ])("%s %s: %s", (kind, file, decision) => {
    const path = file.startsWith("/") ? file : join(config.workspace, file);
    const { effect, ruleId } = config.rules.judge({ kind, path }, factsFor("any_tool"));
    expect(`${effect} by ${ruleId ?? "none"}`).toBe(decision);
  });
});

describe("what it says of commands", () => {
  const { rules, workspace } = loaded(load(DEFAULT_CONFIG));
  const facts = { ...factsFor("run_command"), containment: "sandbox" as const };
  const decisionOn = (line: string, sandbox: "namespaces" | "none" = "namespaces") => {
    const touches = touchesFromWords(`exec ${line}`, workspace);
    if ("error" in touches) throw new Error(touches.error);
    const effects = touches.map((touch) => rules.judge(touch, { ...facts, touches, sandbox }).effect);
    return effects.includes("deny") ? "deny" : effects.includes("ask") ? "ask" : "allow";
  };

  it.each([
    "ls -la",
    "cat package.json",
    "git status --short",
    "git diff HEAD~1 -- src",
    "git log --oneline -n 5",
    "rg -n x src | head -20",
    "find . -name '*.ts' -type f | wc -l",
    'cd src && for f in *.ts; do cat "$f"; done',
    "grep -rn x src 2>/dev/null || true",
    "sed -n '1,5p' a && awk '{ print $1 }' a",
    "git branch -a && git remote -v",
  ])("runs unasked: %s", (line) => expect(decisionOn(line)).toBe("allow"));

  it.each([
    "npm test",
    "rm -rf a",
    "git commit -m x",
    "git branch -D a",
    "git -c core.pager=x log",
    "git diff --output=a",
    "git diff --ext-diff",
    "find . -delete",
    "find . -exec rm {} +",
    "sed -i s/a/b/ f",
    "awk 'BEGIN { system(\"x\") }'",
    "sort -o a b",
    "rg --pre x a",
    "ls; x=ls; $x",
    "echo a > b",
    "FOO=1 npm test",
    "curl https://h",
    "node a.js",
    "./ls",
  ])("is asked about: %s", (line) => expect(decisionOn(line)).toBe("ask"));

  it("asks about each command that no sandbox holds in", () => {
    for (const line of ["ls", "grep -r x /", "cat $x"]) expect(decisionOn(line, "none")).toBe("ask");
  });

  it.each(["cat /etc/passwd", "echo a > /etc/passwd", "echo a > .git/hooks/x", "echo a > toolgate.yaml", "cat < .env"])(
    "is denied: %s",
    (line) => expect(decisionOn(line)).toBe("deny"),
  );
});

needs("bwrap", "prlimit")("a command that only reads", () => {
  const own = loaded(load(DEFAULT_CONFIG)).rules.sources.filter(({ id }) => !id.startsWith("builtin:"));

  it("runs unasked, sees the workspace and can't change it", async () => {
    await using scratch = openRunningGate(own);
    scratch.put("a.txt", "one\n");
    scratch.put(".env", "SECRET=1\n");
    expect(printed(asKind(await scratch.run("cat a.txt | wc -l; ls"), "completed"))).toBe("1\na.txt\n");
    expect(printed(asKind(await scratch.run("cat .env a.txt"), "failed"))).not.toContain("SECRET");
    expect((await scratch.gate.explain({ tool: "run_command", input: { command: "touch b" } })).decision).toBe("ask");
  });
});
