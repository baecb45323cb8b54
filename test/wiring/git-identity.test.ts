import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIdentity } from "../../src/wiring/git-identity.ts";
import { needs } from "../support/parts.ts";
import { openRunningGate, printed } from "../support/running-gate.ts";
import { asKind } from "../support/scratch-gate.ts";

const ANN = '[user]\n\tname = Ann "the \\"gate\\" \\\\" Keeper\n\temail = ann@example.com\n';
const ANN_NAME = 'Ann the "gate" \\ Keeper';

function openHome(): Disposable & { readonly home: string; readonly put: (path: string, text: string) => string } {
  const home = mkdtempSync(join(tmpdir(), "toolgate-home-"));
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o600 });
    return join(home, path);
  };
  return { home, put, [Symbol.dispose]: () => rmSync(home, { recursive: true }) };
}

describe("gitIdentity", () => {
  it.each<[string, files: Readonly<Record<string, string>>, expected: object | null]>([
    ["of a user who has none", {}, null],
    ["of one file", { ".gitconfig": ANN }, { name: ANN_NAME, email: "ann@example.com" }],
    ["of the other", { ".config/git/config": "[user]\nname=B\nemail=b@c" }, { name: "B", email: "b@c" }],
    [
      "of both, where the later one wins",
      { ".config/git/config": "[user]\nname=B\nemail=b@c", ".gitconfig": "[user]\nname = A" },
      { name: "A", email: "b@c" },
    ],
    ["without a name", { ".gitconfig": "[user]\nemail = a@b" }, null],
    ["with an empty one", { ".gitconfig": "[user]\nname =\nemail = a@b" }, null],
    ["of another section", { ".gitconfig": '[user "x"]\nname = A\nemail = a@b' }, null],
    ["with a line end in it", { ".gitconfig": "[user]\nname = A\\n[core]\nemail = a@b" }, null],
    ["of a file that git can't read", { ".gitconfig": `${ANN}[` }, null],
    ["longer than any name", { ".gitconfig": `[user]\nname = ${"a".repeat(201)}\nemail = a@b` }, null],
    [
      "as long as one may be",
      { ".gitconfig": `[user]\nname = ${"a".repeat(200)}\nemail = a@b` },
      { name: "a".repeat(200), email: "a@b" },
    ],
  ])("%s", (_, files, expected) => {
    using scratch = openHome();
    for (const [path, text] of Object.entries(files)) scratch.put(path, text);
    expect(gitIdentity(scratch)).toEqual(expected);
  });

  it("is not taken from a file that others may write, nor of somebody who has no home", () => {
    using scratch = openHome();
    chmodSync(scratch.put(".gitconfig", ANN), 0o620);
    expect([gitIdentity(scratch), gitIdentity({ home: null })]).toEqual([null, null]);
  });
});

needs("bwrap", "prlimit")("a commit", () => {
  const COMMITS = [
    ["git", { operation: "COMMIT", args: ["--allow-empty", "-m", "x"] }],
    ["run_command", { command: "git commit --allow-empty -m x" }],
  ] as const;
  const OWN = "[user]\n\tname = Own\n\temail = own@example.com\n";

  it.each(COMMITS)("by %s is the operator's where the repository does not say whose", async (tool, input) => {
    await using scratch = openRunningGate(undefined, { home: "home" });
    mkdirSync(join(scratch.folder, "home"));
    writeFileSync(join(scratch.folder, "home/.gitconfig"), ANN, { mode: 0o600 });
    await scratch.run("git init -q");
    asKind(await scratch.gate.call({ tool, input }), "completed");
    const log = asKind(await scratch.run("git log --format='%an <%ae> %cn'"), "completed");
    expect(printed(log)).toBe(`${ANN_NAME} <ann@example.com> ${ANN_NAME}\n`);
  });

  it.each(COMMITS)("by %s is whose the repository says", async (tool, input) => {
    await using scratch = openRunningGate(undefined, { home: "home" });
    mkdirSync(join(scratch.folder, "home"));
    writeFileSync(join(scratch.folder, "home/.gitconfig"), ANN, { mode: 0o600 });
    await scratch.run("git init -q");
    writeFileSync(join(scratch.workspace, ".git/config"), OWN);
    asKind(await scratch.gate.call({ tool, input }), "completed");
    expect(printed(await scratch.run("git log --format='%an <%ae>'"))).toBe("Own <own@example.com>\n");
  });
});
