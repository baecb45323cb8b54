import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { isRoot } from "../support/as-somebody.ts";

const ROOT = join(import.meta.dirname, "../..");
const NO_LIBATOMIC =
  'echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Runs set-up in a clone whose packages are installed, with this `node` there, and an apt-get that notes its words. */
function setUp(node: string, apt = "exit 0") {
  const clone = mkdtempSync(join(tmpdir(), "toolgate-setup-"));
  folders.push(clone);
  for (const folder of ["scripts", "node_modules/.bin", "bin"]) mkdirSync(join(clone, folder), { recursive: true });
  copyFileSync(join(ROOT, "scripts/setup.mjs"), join(clone, "scripts/setup.mjs"));
  const lockfile = "{}";
  writeFileSync(join(clone, "package-lock.json"), lockfile);
  const digest = createHash("sha256").update(lockfile).update(`${process.platform}-${process.arch}`).digest("hex");
  writeFileSync(join(clone, "node_modules/.toolgate-setup"), digest);
  program(join(clone, "node_modules/.bin/node"), node);
  for (const name of ["bwrap", "prlimit"]) program(join(clone, "bin", name), "exit 0");
  program(join(clone, "bin/apt-get"), `echo "$@" >> ${clone}/apt.log\n${apt}`);
  writeFileSync(join(clone, "apt.log"), "");
  const { status, stderr } = spawnSync(process.execPath, [join(clone, "scripts/setup.mjs"), "start"], {
    encoding: "utf8",
    env: { PATH: join(clone, "bin") },
  });
  return { status, stderr, installed: readFileSync(join(clone, "apt.log"), "utf8") };
}

describe("set-up on a machine without libatomic, which Node needs", () => {
  it("is silent if Node starts", () => {
    expect(setUp("exit 0")).toEqual({ status: 0, stderr: "", installed: "" });
  });

  it("names the package, and fails if it is still missing", () => {
    const { status, stderr, installed } = setUp(NO_LIBATOMIC);
    expect(status).toBe(1);
    expect(stderr).toContain("Node needs the library libatomic.so.1");
    expect(stderr).toContain("sudo apt-get install -y libatomic1");
    if (isRoot) expect(installed).toContain("install -y -qq --no-install-recommends libatomic1");
    else expect(installed).toBe("");
  });

  it.runIf(isRoot)("installs it as root, and goes on (skipped for other users)", () => {
    const startsAfterwards = `/bin/grep -q libatomic1 "\${0%/*}/../../apt.log" && exit 0\n${NO_LIBATOMIC}`;
    expect(setUp(startsAfterwards)).toMatchObject({ status: 0, installed: expect.stringContaining("libatomic1") });
  });
});
