// Runs programs that stay just within each limit and programs that don't, and prints as JSON how each ended.
// node meets-limits.ts [no-cgroups] [for-owner]: the first does without cgroups; with the second the workspace belongs to
// an ordinary user, so that a gate of root runs programs as that user.

import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovedCall } from "../../src/domain/call.ts";
import { NO_GRANT } from "../../src/domain/plan.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import { openFiles } from "../../src/files/open-files.ts";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { type ProgramLimits, runProgram } from "../../src/tools/sandboxed/run-program.ts";
import { runningPorts } from "../tools/sandboxed/running-ports.ts";

const MB = 1024 * 1024;
const ROOMY: ProgramLimits = { memoryBytes: 1024 * MB, openFiles: 256, tasks: 64, fileBytes: 64 * MB };

/** Each with a number: one with which it stays within the limit, and one with which it does not. */
const CASES: readonly (readonly [string, Partial<ProgramLimits>, string, number, number])[] = [
  ["memory", { memoryBytes: 128 * MB }, "x = bytearray(N * 1048576)", 32, 512],
  [
    "memory of all together",
    { memoryBytes: 256 * MB },
    `import os, time
for i in range(N):
  if os.fork() == 0:
    x = bytearray(100 * 1048576)
    if N > 2: time.sleep(60)
    os._exit(0)
os._exit(1 if os.wait()[1] else 0)`,
    2,
    8,
  ],
  [
    "shared memory",
    { memoryBytes: 256 * MB },
    `import mmap, time
x = mmap.mmap(-1, N * 1048576)
for i in range(N): x.write(bytes(1048576))
if N > 256: time.sleep(60)`,
    64,
    400,
  ],
  [
    "files in memory",
    { memoryBytes: 64 * MB },
    `import time
for name in "ab":
  with open("/dev/shm/" + name, "wb") as file:
    for i in range(N): file.write(bytes(1048576))
if N > 32: time.sleep(60)`,
    16,
    48,
  ],
  [
    "files without a name",
    { memoryBytes: 64 * MB },
    `import os, time
files = [os.memfd_create(name) for name in "ab"]
for file in files:
  for i in range(N): os.write(file, bytes(1048576))
if N > 32: time.sleep(60)`,
    16,
    48,
  ],
  [
    "tasks",
    { tasks: 16 },
    `import os
for i in range(N):
  if os.fork() == 0: os.execvp("sleep", ["sleep", "60"])`,
    8,
    32,
  ],
  [
    "threads",
    { tasks: 16 },
    `import os, threading
for i in range(N): threading.Thread(target=lambda: threading.Event().wait(), daemon=True).start()
os._exit(0)`,
    8,
    32,
  ],
  ["open files", { openFiles: 64 }, "x = [open('/dev/null') for i in range(N)]", 32, 128],
  ["size of a file", { fileBytes: MB }, "open('/tmp/f', 'wb').write(bytes(N * 1024))", 1000, 2000],
  ["private space", { privateBytes: 4 * MB }, "open('/tmp/f', 'wb').write(bytes(N * 1024))", 2000, 8000],
  ["output", { outputBytes: MB }, "import sys; sys.stdout.write('x' * (N * 1024))", 1000, 3000],
  ["processor time", { cpuSeconds: 1 }, "x = 0\nwhile x < N: x += 1", 1000, 10_000_000_000],
];

// The ports keep their state beside the workspace.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-limits-")));
const workspace = join(folder, "ws");
mkdirSync(workspace);
const files = openFiles({ workspace });
const places = { searchPath: (process.env["PATH"] ?? "").split(":"), workspace };
const options = process.argv.slice(2);
if (options.includes("for-owner")) {
  chmodSync(folder, 0o755);
  chownSync(workspace, 65_534, 65_534);
}
const withoutGroups = openBubblewrap({ ...places, cgroups: { pids: null, memory: null } });
const inUse = runningPorts(files, { resolve: async () => null } as never);
const ports = options.includes("no-cgroups") ? { ...inUse, sandbox: withoutGroups } : inUse;

async function met(limits: Partial<ProgramLimits>, script: string, count: number): Promise<string> {
  const plan = { workspace, touches: [], operands: [], sandbox: { report: ports.sandbox.report() } };
  const call = { project: "default", session: { id: "s" }, plan, seal: { grant: NO_GRANT } } as unknown as ApprovedCall;
  const argv = ["/usr/bin/python3", "-c", `N = ${count}\n${script}`] as const;
  const run = { argv, cwd: "/tmp", env: {}, limits: { ...ROOMY, ...limits } };
  const running = runProgram(call, run, ports, new AbortController().signal);
  for (;;) {
    const next = await running.next();
    if (next.done) return codeOf(next.value);
  }
}

const codeOf = (result: RunResult): string => (result.kind === "failed" ? result.error.code : result.kind);

const isUncounted = ports.sandbox.report().tasks === "none";
const tried = CASES.filter(([name]) => !(isUncounted && ["tasks", "threads"].includes(name))).map(
  async ([name, limits, script, within, beyond]) =>
    [name, await Promise.all([within, beyond].map((count) => met(limits, script, count)))] as const,
);
const ends = Object.fromEntries(await Promise.all(tried));
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ report: ports.sandbox.report(), ends }));
