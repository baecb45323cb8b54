import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installProgram } from "../../support/installed-program.ts";
import { needs } from "../../support/parts.ts";
import { type Cli, endOf, openCli } from "../../support/run-cli.ts";

const CONFIG = JSON.stringify({
  tools: { builtin: ["files", "shell", "git"] },
  rules: [
    { id: "all", effect: "allow" },
    { id: "run", effect: "allow", touch: { exec: ["**"], git: ["*"] }, grant: { write: ["./**"] } },
  ],
});

let cli: Cli;
let program: string;

/** Calls the tool through the gate that is installed in the workspace. */
async function called(tool: string, input: object) {
  const child = spawn(process.execPath, [program, "call", tool, JSON.stringify(input), "--json"], {
    cwd: cli.workspace,
    env: cli.env,
  });
  child.stdin.end();
  const { out, err } = await endOf(child);
  return JSON.parse(out === "" ? JSON.stringify({ err }) : out);
}

/** Of names, kinds and contents below the folder. */
function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const content = stats.isFile() ? readFileSync(path) : stats.isSymbolicLink() ? readlinkSync(path) : "";
    hash.update(`${name}\0${stats.mode}\0`).update(content);
  }
  return hash.digest("hex");
}

const ownFolders = () =>
  ["node_modules/toolgate", "node_modules/.bin", "node_modules/ajv"].map((name) => digestOf(join(cli.workspace, name)));

beforeAll(() => {
  cli = openCli(CONFIG);
  program = installProgram(cli.workspace);
  cli.put("package.json", '{"name":"ws"}\n');
  mkdirSync(join(cli.workspace, "node_modules/left-pad"));
});
afterAll(() => cli[Symbol.dispose]());

/** Each prints its number if it succeeds. */
const ATTACKS = [
  "echo 'evil()' >> node_modules/toolgate/dist/cli/main.js",
  "sed -i 1d node_modules/toolgate/bin/toolgate.js",
  "rm -f node_modules/toolgate/bin/toolgate.js",
  "mv node_modules/toolgate node_modules/old",
  "mv node_modules modules",
  "cp -al node_modules/toolgate/bin copy && echo 'evil()' >> copy/toolgate.js",
  "chmod 777 node_modules/toolgate/bin/toolgate.js",
  "mkdir -p node_modules/toolgate/node_modules/ajv",
  "echo x > node_modules/ajv/package.json",
  "rm node_modules/.bin/toolgate",
  "ln -s /tmp/x node_modules/.bin/node",
  "echo 'echo evil' > node_modules/.bin/sh",
  'echo \'{"bin":{"toolgate":"evil.js"}}\' > package.json',
  "mv package.json package.old",
  "mount --bind /tmp node_modules/toolgate",
  'node -e \'require("fs").writeFileSync("node_modules/toolgate/bin/x.js", "")\'',
];

needs("bwrap", "prlimit")("a program that may write everywhere in the workspace that the gate is installed in", () => {
  it("changes nothing that the gate runs on, and can work on other packages", async () => {
    const before = ownFolders();
    const script = ATTACKS.map((attack, index) => `( ${attack} ) >/dev/null 2>&1 && echo managed-${index}`);
    const work = "echo x > node_modules/left-pad/index.js && echo x > main.js && echo worked";
    // In a file: redirections of a command line itself are refused before anything runs.
    cli.put("attack.sh", [...script, work].join("\n"));
    const outcome = await called("run_command", { command: "bash attack.sh" });
    expect(JSON.stringify(outcome)).not.toMatch(/managed-\d+/);
    expect(JSON.stringify(outcome)).toContain("worked");
    expect(ownFolders()).toEqual(before);
    expect(cli.text("package.json")).toBe('{"name":"ws"}\n');
    expect(cli.text("node_modules/left-pad/index.js")).toBe("x\n");
  });
});

/** Each makes something that `npx toolgate` would run in the place of the gate. Whether or not it can be made, it is gone afterwards. */
const SHADOWS = [
  "mkdir -p sub/node_modules/toolgate && echo x > sub/node_modules/toolgate/package.json",
  "mkdir -p sub/node_modules/.bin && echo x > sub/node_modules/.bin/toolgate",
  "mkdir -p deep/er/node_modules/.bin && ln -s /tmp/x deep/er/node_modules/.bin/node",
  "mkdir -p a/node_modules/x b && echo x > a/node_modules/x/index.js && mv a/node_modules/x a/node_modules/toolgate",
  "echo script-shell=./x > .npmrc",
  "mkdir node_modules/@vscode/node_modules && echo x > node_modules/@vscode/node_modules/x",
];

needs("bwrap", "prlimit")("a program that makes another gate", () => {
  it("leaves nothing of it behind", async () => {
    cli.put("attack.sh", `${SHADOWS.map((one) => `( ${one} ) 2>/dev/null`).join("\n")}\necho x > made.js; echo worked`);
    const outcome = await called("run_command", { command: "bash attack.sh" });
    expect(JSON.stringify(outcome)).toContain("worked");
    const made = readdirSync(cli.workspace, { recursive: true, encoding: "utf8" }).filter(
      (path) => !path.startsWith("node_modules/toolgate") && !path.startsWith(".toolgate"),
    );
    const isShadow = (path: string) => /node_modules\/(?:toolgate|\.bin\/(?:toolgate|node|sh))$|^\.npmrc$/.test(path);
    expect(made.filter(isShadow)).toEqual(["node_modules/.bin/toolgate"]);
    expect(made).not.toContain("node_modules/@vscode/node_modules");
    expect(made).toContain("made.js");
  });
});

describe("file tools that are allowed everything", () => {
  const path = "node_modules/toolgate/bin/toolgate.js";
  const patch = `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-#!/usr/bin/env node\n+#!/tmp/evil\n`;
  it.each<[tool: string, input: object]>([
    ["write_file", { path, content: "evil()" }],
    ["edit_file", { path, edits: [{ type: "replace", oldText: "#!/usr/bin/env node", newText: "#!/tmp/evil" }] }],
    ["delete_file", { path }],
    ["apply_patch", { patch }],
    ["write_file", { path: "node_modules/toolgate/node_modules/ajv/index.js", content: "x" }],
    ["write_file", { path: "node_modules/ajv/dist/ajv.js", content: "x" }],
    ["write_file", { path: "node_modules/.bin/sh", content: "x" }],
    ["write_file", { path: "sub/node_modules/.bin/toolgate", content: "x" }],
    ["write_file", { path: "sub/node_modules/toolgate/bin/toolgate.js", content: "x" }],
    ["write_file", { path: "package.json", content: '{"bin":{"toolgate":"x"}}' }],
    ["write_file", { path: ".npmrc", content: "script-shell=./x" }],
  ])("%s %j is refused", async (tool, input) => {
    const before = ownFolders();
    const outcome = await called(tool, input);
    expect(outcome).toMatchObject({ kind: "refused", refusal: { code: "RULE_DENY" } });
    expect(outcome.refusal.ruleId).toMatch(/^builtin:own-program/);
    expect(ownFolders()).toEqual(before);
  });

  it.each(["node_modules/left-pad/a.js", "sub/package.json", "node_modules/ajv2/x.js", "toolgate/x.js"])(
    "write_file of %s is let through",
    async (other) => {
      expect(await called("write_file", { path: other, content: "x" })).toMatchObject({ kind: "completed" });
    },
  );
});

it("the refusal says what is closed and what to do", async () => {
  const { refusal } = await called("write_file", { path: "node_modules/.bin/x", content: "x" });
  expect(JSON.stringify(refusal)).toContain("install Toolgate outside of the workspace");
});
