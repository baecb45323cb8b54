import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { mountAliases } from "../../src/config/mount-aliases.ts";
import { ownProgramRules } from "../../src/config/own-program.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { openScratch, type Scratch } from "./scratch.ts";

const packageJson = (dependencies: Readonly<Record<string, string>> = {}, optionalDependencies = {}) =>
  JSON.stringify({ dependencies, optionalDependencies });

function closedIn(scratch: Scratch, workspace: string, root: string, variables = {}) {
  const at = join(scratch.folder, workspace);
  const running = { root: join(scratch.folder, root), execPath: "/opt/node/bin/node", variables };
  const sources = ownProgramRules("own", at, running);
  const compiled = compileRules([{ id: "all", effect: "allow" }, ...sources], { workspace: at });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const { rules } = compiled;
  const isClosed = (path: string) =>
    (["write", "delete"] as const).every(
      (kind) =>
        rules.judge({ kind, path: path.startsWith("/") ? path : join(at, path) }, factsFor("t")).effect === "deny",
    );
  return { isClosed, hash: rules.hash, sources };
}

function link(scratch: Scratch, path: string, target: string): void {
  mkdirSync(dirname(join(scratch.folder, path)), { recursive: true });
  symlinkSync(target, join(scratch.folder, path));
}

describe("installed by npm in the workspace", () => {
  const install = (scratch: Scratch) => {
    scratch.put("ws/node_modules/toolgate/package.json", packageJson({ a: "1", "@s/b": "1" }, { missing: "1" }));
    scratch.put("ws/node_modules/a/package.json", packageJson({ c: "1" }));
    scratch.put("ws/node_modules/a/node_modules/c/package.json", packageJson());
    scratch.put("ws/node_modules/@s/b/package.json", packageJson({ d: "1" }));
    scratch.put("ws/node_modules/d/package.json", packageJson());
    scratch.put("ws/node_modules/other/package.json", packageJson());
  };

  it.each<[path: string, closed: boolean]>([
    ["node_modules/toolgate/bin/toolgate.js", true],
    ["node_modules/toolgate/node_modules/a/index.js", true],
    ["node_modules/a/index.js", true],
    ["node_modules/a/node_modules/c/index.js", true],
    ["node_modules/@s/node_modules/d/index.js", true],
    ["node_modules/d/index.js", true],
    ["node_modules/missing/index.js", true],
    ["node_modules/.bin/sh", true],
    ["node_modules/.bin/anything", true],
    ["package.json", true],
    [".npmrc", true],
    ["sub/node_modules/toolgate/index.js", true],
    ["sub/node_modules/.bin/toolgate", true],
    ["sub/node_modules/.bin/node", true],
    ["/opt/node/bin/node", true],
    ["/opt/node/lib/node_modules/npm/bin/npx-cli.js", true],
    ["node_modules/other/index.js", false],
    ["node_modules/.cache/x", false],
    ["node_modules/.package-lock.json", false],
    ["package-lock.json", false],
    ["sub/package.json", false],
    ["sub/node_modules/.bin/tsc", false],
    ["bunfig.toml", false],
    ["toolgate/index.js", false],
    ["/opt/node/x", false],
  ])("%s: %s", (path, closed) => {
    using scratch = openScratch();
    install(scratch);
    expect(closedIn(scratch, "ws", "ws/node_modules/toolgate").isClosed(path)).toBe(closed);
  });

  it("in the workspace of a monorepo above it: all of the `node_modules` that it is in", () => {
    using scratch = openScratch();
    install(scratch);
    scratch.put("ws/packages/one/x");
    const { isClosed } = closedIn(scratch, "ws/packages/one", "ws/node_modules/toolgate");
    const root = join(scratch.folder, "ws");
    const paths = ["node_modules/other/x", "node_modules/.bin/x", "package.json", "src/x"];
    expect(paths.map((path) => isClosed(join(root, path)))).toEqual([true, true, true, false]);
    expect(isClosed("node_modules/a/index.js")).toBe(false);
  });
});

it("installed by pnpm: the store in `node_modules`, and what is found before it", () => {
  using scratch = openScratch();
  const store = "ws/node_modules/.pnpm";
  scratch.put(`${store}/toolgate@1/node_modules/toolgate/package.json`, packageJson({ a: "1" }));
  scratch.put(`${store}/a@1/node_modules/a/package.json`, packageJson());
  scratch.put("ws/pnpm-lock.yaml");
  link(scratch, `${store}/toolgate@1/node_modules/a`, "../../a@1/node_modules/a");
  link(scratch, "ws/node_modules/toolgate", ".pnpm/toolgate@1/node_modules/toolgate");
  const { isClosed } = closedIn(scratch, "ws", `${store}/toolgate@1/node_modules/toolgate`);
  const paths = [".pnpm/a@1/node_modules/a/x.js", ".pnpm/node_modules/a/x.js", "toolgate", ".bin/toolgate", "other/x"];
  expect(paths.map((path) => isClosed(`node_modules/${path}`))).toEqual([true, true, true, true, false]);
  expect(["pnpm-workspace.yaml", ".yarnrc.yml"].map(isClosed)).toEqual([true, false]);
});

it("a dependency that is a link to a folder elsewhere in the workspace", () => {
  using scratch = openScratch();
  scratch.put("ws/node_modules/toolgate/package.json", packageJson({ a: "1" }));
  scratch.put("ws/libs/a/package.json", packageJson());
  link(scratch, "ws/node_modules/a", "../libs/a");
  const { isClosed } = closedIn(scratch, "ws", "ws/node_modules/toolgate");
  expect(["libs/a/x.js", "libs/b/x.js", "node_modules/a"].map(isClosed)).toEqual([true, false, true]);
});

it("a checkout as the workspace: its code, and nothing else", () => {
  using scratch = openScratch();
  scratch.put("ws/package.json", packageJson({ a: "1" }));
  scratch.put("ws/src/x.ts");
  scratch.put("ws/node_modules/a/package.json", packageJson());
  const { isClosed } = closedIn(scratch, "ws", "ws");
  expect(
    ["src/x.ts", "bin/x", "dist/x", "package.json", "node_modules/a/x", "node_modules/.bin/x"].map(isClosed),
  ).toEqual([true, true, true, true, true, true]);
  expect(["docs/x.md", "test/x.ts", "node_modules/other/x", "README.md"].map(isClosed)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it("a place without `node_modules` of its own: one that is made nearer is closed before it is there", () => {
  using scratch = openScratch();
  scratch.put("ws/vendor/gate/package.json", packageJson({ a: "1" }));
  scratch.put("ws/node_modules/a/package.json", packageJson());
  const { isClosed } = closedIn(scratch, "ws", "ws/vendor/gate");
  expect(["vendor/node_modules/a/x.js", "node_modules/a/x.js", "vendor/x"].map(isClosed)).toEqual([true, true, false]);
});

it("what the environment makes Node load", () => {
  using scratch = openScratch();
  scratch.put("ws/hooks/early.mjs");
  scratch.put("ws/libs/x.so");
  scratch.put("gate/package.json", packageJson());
  const file = join(scratch.folder, "ws/hooks/early.mjs");
  const variables = {
    NODE_OPTIONS: `--no-warnings --import=${file}`,
    LD_LIBRARY_PATH: join(scratch.folder, "ws/libs"),
  };
  const { isClosed } = closedIn(scratch, "ws", "gate", variables);
  expect(["hooks/early.mjs", "libs/x.so", "hooks/other.mjs"].map(isClosed)).toEqual([true, true, false]);
});

it("the hash does not depend on where the gate is", () => {
  using scratch = openScratch();
  scratch.put("ws/node_modules/toolgate/package.json", packageJson());
  scratch.put("elsewhere/toolgate/package.json", packageJson());
  const [here, elsewhere] = ["ws/node_modules/toolgate", "elsewhere/toolgate"].map((root) =>
    closedIn(scratch, "ws", root),
  );
  expect(here?.hash).toBe(elsewhere?.hash);
  expect(here?.sources.map(({ id }) => id)).not.toEqual(elsewhere?.sources.map(({ id }) => id));
});

describe("packages that are hard links", () => {
  const install = (scratch: Scratch) => {
    scratch.put("gate/node_modules/toolgate/package.json", packageJson({ a: "1" }));
    scratch.put("gate/node_modules/a/package.json", packageJson({ b: "1" }));
    scratch.put("gate/node_modules/b/package.json", packageJson());
    scratch.put("ws/node_modules/other/package.json", packageJson());
  };
  const paths = [
    "node_modules/.pnpm/a@1/node_modules/a/x.js",
    "sub/node_modules/b/x.js",
    ".pnpm-store/v10/files/00/ab",
    "node_modules/other/x.js",
  ];

  it("are closed by their names in another installation too", () => {
    using scratch = openScratch();
    install(scratch);
    mkdirSync(join(scratch.folder, "store"));
    linkSync(join(scratch.folder, "gate/node_modules/a/package.json"), join(scratch.folder, "store/file"));
    const { isClosed } = closedIn(scratch, "ws", "gate/node_modules/toolgate");
    expect(paths.map(isClosed)).toEqual([true, true, true, false]);
  });

  it("are not, if the gate's files have one name each", () => {
    using scratch = openScratch();
    install(scratch);
    const { isClosed } = closedIn(scratch, "ws", "gate/node_modules/toolgate");
    expect(paths.map(isClosed)).toEqual([false, false, false, false]);
  });
});

describe("other names by bind mounts", () => {
  const MOUNTS = [
    "20 1 8:1 / / rw - ext4 /dev/sda rw",
    "21 20 8:1 /opt/gate /home/ann/ws/vendor\\040gate rw - ext4 /dev/sda rw",
    "22 20 8:1 /opt/gate/dist /home/ann/ws/dist rw - ext4 /dev/sda rw",
    "23 20 8:2 /opt/gate /home/ann/ws/other-disk rw - ext4 /dev/sdb rw",
    "24 20 8:1 /home/ann/ws /mnt/ws rw - ext4 /dev/sda rw",
    "",
  ].join("\n");

  it.each<[path: string, aliases: readonly string[]]>([
    ["/opt/gate", ["/home/ann/ws/vendor gate", "/home/ann/ws/dist"]],
    ["/opt/gate/dist/cli", ["/home/ann/ws/vendor gate/dist/cli", "/home/ann/ws/dist/cli"]],
    ["/home/ann/ws/node_modules/toolgate", ["/mnt/ws/node_modules/toolgate"]],
    ["/mnt/ws/node_modules/toolgate", ["/home/ann/ws/node_modules/toolgate"]],
    ["/opt/gate2", []],
  ])("%s", (path, aliases) => {
    expect(mountAliases(MOUNTS)(path)).toEqual(aliases);
  });
});
