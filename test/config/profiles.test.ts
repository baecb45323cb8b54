import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { isProfileName, PROFILES, type ProfileName } from "../../src/config/profiles.ts";
import type { Effect } from "../../src/domain/decision.ts";
import type { FileTouchKind, Touch } from "../../src/domain/touch.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { loaded, openScratch } from "./scratch.ts";

const NAMES = Object.keys(PROFILES) as ProfileName[];

function load(profile: ProfileName) {
  using scratch = openScratch();
  return loaded(loadConfig({ path: scratch.put("toolgate.yaml", PROFILES[profile].text) }));
}

/** Threats A18 and D18 to D21: what other programs obey, in the workspace and nested, there or not there yet. */
const PROTECTED = [
  ...[".git", ".git/config", ".git/hooks/pre-commit", ".git/info/attributes", "sub/.git", "a/b/.git/hooks/post-merge"],
  ...[
    ".git/modules/x/config",
    ".gitconfig",
    "sub/.gitmodules",
    ".husky/pre-push",
    ".githooks/x",
    ".pre-commit-config.yaml",
  ],
  ...[".toolgate", ".toolgate/ledger.db", "sub/.toolgate", "sub/.toolgate/x", "toolgate.yaml", "sub/toolgate.yaml"],
  ...[".bashrc", ".bash_profile", ".bash_aliases", ".profile", "home/.zshrc", ".zshenv", ".zprofile", ".inputrc"],
  ...[".config/fish/config.fish", "x/.config/fish", ".envrc", "sub/.envrc"],
  ...[
    ".vscode",
    ".vscode/tasks.json",
    "a/.vscode/settings.json",
    ".idea/workspace.xml",
    ".zed/settings.json",
    ".vimrc",
  ],
  ...[
    ".exrc",
    ".emacs.d/init.el",
    ".dir-locals.el",
    ".cursor/mcp.json",
    ".claude/settings.json",
    ".mcp.json",
    "a/.mcp.json",
  ],
  ...[
    ".devcontainer/devcontainer.json",
    ".npmrc",
    "pkg/.npmrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".ssh/authorized_keys",
  ],
];

describe.each(NAMES)("the profile %s", (profile) => {
  const config = load(profile);
  const judge = (kind: FileTouchKind, file: string) => {
    const touch: Touch = { kind, path: file.startsWith("/") ? file : join(config.workspace, file) };
    return config.rules.judge(touch, factsFor("any_tool", { touches: [touch] }));
  };

  it("protects 40 paths and more", () => expect(PROTECTED.length).toBeGreaterThanOrEqual(40));

  it.each(PROTECTED)("denies writing and deleting %s", (file) => {
    expect(judge("write", file)).toMatchObject({ effect: "deny", ruleId: expect.any(String) });
    expect(judge("delete", file)).toMatchObject({ effect: "deny", ruleId: expect.any(String) });
  });

  it.each([
    ".gitignore",
    "src/git",
    "a.git",
    "toolgate.yml",
    "vscode/x",
    "bashrc",
    ".envrc.md",
    "sub/toolgate/x",
    "package.json",
  ])("asks about writing and deleting %s, which only looks like one", (file) =>
    expect([judge("write", file).effect, judge("delete", file).effect]).toEqual(["ask", "ask"]),
  );

  it.each([".env", "a/.env.local", "tls/server.pem", ".ssh/id_rsa"])("denies reading %s", (file) =>
    expect(judge("read", file).ruleId).toBe("keep-secrets-closed"),
  );

  it.each<FileTouchKind>(["read", "write", "delete"])("denies to %s outside of the workspace", (kind) =>
    expect(judge(kind, "/etc/passwd")).toMatchObject({ effect: "deny", ruleId: null }),
  );

  it("gives each rule a reason, and keeps its lines short", () => {
    const { text } = PROFILES[profile];
    expect(text.match(/^ {2}- id:/gm)).toHaveLength(text.match(/^ {4}because:/gm)?.length ?? 0);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });
});

const MEDIUM_BOTH = ["ask by medium-risk", "ask by medium-risk"] as const;

describe("the profile risk", () => {
  const config = load("risk");
  const inside = (kind: FileTouchKind, name: string): Touch => ({ kind, path: join(config.workspace, name) });
  const HOST: Touch = { kind: "connect", host: "example.com", port: 443, scheme: "https" };
  const UNKNOWN: Touch = { kind: "unknown", reason: "?" };
  const command = (line: string): Touch => {
    const argv = line.split(" ").map((text) => ({ text, known: !/[$*]/.test(text) }));
    return { kind: "exec", program: `/usr/bin/${argv[0]?.text}`, argv, origin: "toolchain" };
  };

  it.each<[string, touches: readonly Touch[], decisions: readonly `${Effect} by ${string}`[]]>([
    ["reading", [inside("read", "a")], ["allow by low-risk"]],
    ["writing", [inside("write", "a")], ["ask by medium-risk"]],
    ["writing what machines run", [inside("write", "a.so")], ["ask by high-risk"]],
    ["deleting", [inside("delete", "a")], ["ask by high-risk"]],
    ["connecting", [HOST], ["ask by medium-risk"]],
    ["the unknown", [UNKNOWN], ["ask by high-risk"]],
    ["a command that shows something", [command("ls -l")], ["allow by low-risk"]],
    ["a command whose work stays here", [command("npm test")], ["ask by medium-risk"]],
    ["looking at changes", [command("git diff")], ["ask by medium-risk"]],
    ["a command whose work does not", [command("git push")], ["ask by high-risk"]],
    ["a compiler", [command("gcc a.c")], ["ask by high-risk"]],
    ["a command that nobody knows", [command("frobnicate")], ["ask by high-risk"]],
    ["a command that shows what is there then", [command("ls *.json")], ["ask by medium-risk"]],
    ["a command whose work is known only then", [command("git $x")], ["ask by high-risk"]],
    ["what only might be a command that nobody is asked about", [command("xargs $x")], ["ask by high-risk"]],
    ["a command that nobody is asked about, of what is there then", [command("rm $x")], ["deny by never"]],
    ["a command that nobody is asked about", [command("rm a")], ["deny by never"]],
    ["a command that shows something to a file", [command("ls"), inside("write", "a")], MEDIUM_BOTH],
    [
      "reading beside writing",
      [inside("read", "a"), inside("write", "b")],
      ["ask by medium-risk", "ask by medium-risk"],
    ],
    ["reading beside deleting", [inside("read", "a"), inside("delete", "b")], ["ask by high-risk", "ask by high-risk"]],
  ])("%s", (_, touches, decisions) => {
    const facts = factsFor("t", { touches });
    const found = touches.map((touch) => config.rules.judge(touch, facts));
    expect(found.map(({ effect, ruleId }) => `${effect} by ${ruleId}`)).toEqual(decisions);
  });
});

it("a name that is none is no profile", () =>
  expect(["workspace", "risk", "toString", ""].map(isProfileName)).toEqual([true, true, false, false]));
