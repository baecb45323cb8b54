import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";
import { LAUNCH_FDS } from "./bubblewrap-arguments.ts";
import { childProcess } from "./child-process.ts";
import { hasPipes } from "./has-pipes.ts";
import type { Launched, LaunchOrder } from "./launched.ts";

/** Where there is no spawner: this process makes a copy of itself. Throws what the operating system says. */
export async function launchedByNode(
  [program, ...args]: readonly [string, ...string[]],
  order: LaunchOrder,
  start: (spawn: () => ChildProcess) => ChildProcess,
): Promise<Launched> {
  const { stdin, files, starter, options, somebody } = order;
  const spawnOptions: SpawnOptions = {
    // An empty environment for bubblewrap too: the program could read its launcher's.
    env: {},
    cwd: "/",
    stdio: [
      ...([stdin === "nothing" ? "ignore" : stdin, "pipe", "pipe", "pipe", "pipe", "pipe"] as const),
      ...files,
      ...(starter === "none" ? [] : (["pipe"] as const)),
      ...(starter === "waits" ? (["pipe"] as const) : []),
    ],
    ...somebody,
  };
  const child = start(() => childProcess().spawn(program, args, spawnOptions));
  if (!hasPipes(child)) await new Promise((_, reject) => child.once("error", reject));
  const pipe = (fd: number): unknown => (child.stdio as readonly unknown[])[fd];
  // Somebody may have closed the other end: its end says why.
  (pipe(LAUNCH_FDS.options) as Writable).on("error", () => {}).end(options);
  const begins = (pipe(LAUNCH_FDS.start) as Writable).on("error", () => {});
  const { promise: started, reject, resolve } = Promise.withResolvers<void>();
  child.once("error", reject);
  child.once("spawn", resolve);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const how = new Promise<"by itself" | "by a signal">((resolve) =>
    child.once("close", (_, killedBy) => resolve(killedBy === null ? "by itself" : "by a signal")),
  );
  await started;
  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    stdout: pipe(1) as Readable,
    stderr: pipe(2) as Readable,
    status: pipe(LAUNCH_FDS.status) as Readable,
    words: starter === "waits" ? (pipe(LAUNCH_FDS.words) as Duplex).on("error", () => {}) : null,
    said: starter === "none" ? null : (pipe(LAUNCH_FDS.said) as Duplex),
    begin: () => void begins.end("start"),
    exited,
    gone: how.then(() => {}),
    how,
    hold: (how) => {
      child[how]();
      for (const one of child.stdio as readonly unknown[]) (one as { ref?(): void; unref?(): void } | null)?.[how]?.();
    },
  };
}
