// Runs a program in the sandbox, then takes from itself what starting another takes, and tries again and again.
// node starts-in-want.ts processes|descriptors: the latter with not too many that it may have

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFiles } from "../../src/files/open-files.ts";
import type { CheckedPath } from "../../src/ports/files.ts";
import { ran, realSandbox, scripted } from "../sandbox/real-sandbox.ts";

const [want = ""] = process.argv.slice(2);
const sandbox = realSandbox();
const workspace = mkdtempSync(join(tmpdir(), "toolgate-want-"));
const held = await openFiles({ workspace }).hold(workspace as CheckedPath, "directory");
if (!held.ok) throw new Error(held.fault.message);
const limits = { memoryBytes: 2 ** 29, openFiles: 256, tasks: 16, fileBytes: 2 ** 20 };
const marks = scripted(`echo ran > '${workspace}/ran'`, [{ kind: "held", held: held.value, access: "write" }]);
const tell = async () => {
  const { end } = await ran({ ...marks, limits }, sandbox);
  const isRun = existsSync(join(workspace, "ran"));
  rmSync(join(workspace, "ran"), { force: true });
  return { end, isRun };
};

const told = [await tell()];
if (want === "processes") {
  // Counted for the whole user, and already over it: nobody starts another.
  spawnSync("prlimit", [`--pid=${process.pid}`, "--nproc=1:"]);
  told.push(await tell());
} else {
  const open: number[] = [];
  try {
    for (;;) open.push(openSync("/dev/null", "r"));
  } catch {
    // There is none left. Given back one by one, it fails at another place each time, until it does not fail.
  }
  for (let left = 0; left < 40; left++) {
    told.push(await tell());
    closeSync(open.pop() ?? 0);
  }
}
rmSync(workspace, { recursive: true, force: true });
process.stdout.write(JSON.stringify(told));
