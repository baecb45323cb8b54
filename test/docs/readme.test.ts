import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { pattern } from "./document.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TOOLGATE = join(ROOT, "bin/toolgate.js");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

const consoleSteps = [...readme.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = ""]) =>
  block
    .split(/^\$ npx toolgate /m)
    .slice(1)
    .map((step): [string, string] => {
      const [command = "", ...output] = step.trimEnd().split("\n");
      return [command, output.join("\n")];
    }),
);

describe("README", () => {
  const workspace = mkdtempSync(join(tmpdir(), "toolgate-readme-"));
  copyFileSync(join(ROOT, "README.md"), join(workspace, "README.md"));
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it("has a first session to try", () => expect(consoleSteps.length).toBeGreaterThan(3));

  it.each(consoleSteps)("toolgate %s", (command, expected) => {
    const env = { ...process.env, XDG_STATE_HOME: join(workspace, ".state"), NO_COLOR: "1" };
    const shell = spawnSync("bash", ["-c", `"$NODE" "$TOOLGATE" ${command} 2>&1`], {
      cwd: workspace,
      encoding: "utf8",
      env: { ...env, NODE: process.execPath, TOOLGATE },
    });
    expect(shell.stdout).toMatch(pattern(expected));
  });

  it("has a library example that runs", () => {
    const [, code = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    const program = `${code.replace('"toolgate"', JSON.stringify(join(ROOT, "src/index.ts")))}\nconsole.log(outcome.kind);`;
    const folder = join(workspace, "library");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "main.ts"), program);
    writeFileSync(join(folder, "toolgate.yaml"), "rules: [{ id: count, effect: allow, touch: { unknown: true } }]\n");
    const ran = spawnSync(process.execPath, ["main.ts"], { cwd: folder, encoding: "utf8" });
    expect(ran).toMatchObject({ status: 0, stdout: "completed\n" });
  });

  it("is at most 200 lines long", () => expect(readme.split("\n").length).toBeLessThanOrEqual(200));
});

const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].concat(
  readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
);

describe("documents", () => {
  it.each(documents)("%s links to files that are there", (document) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = ""]) => join(ROOT, dirname(document), link));
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it("the threat model names tests that are there", () => {
    const text = readFileSync(join(ROOT, "docs/threat-model.md"), "utf8");
    const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
