import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Duplex } from "node:stream";
import { loadConfig } from "../../src/config/config.ts";
import type { CheckedPath } from "../../src/ports/files.ts";
import { LAUNCH_FDS, sandboxOptions } from "../../src/sandbox/bubblewrap-arguments.ts";
import { seccompFilter } from "../../src/sandbox/seccomp-filter.ts";
import { architectureOf } from "../../src/sandbox/syscalls.ts";
import { systemView } from "../../src/sandbox/system-view.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Aim, Case, Suite } from "../harness.ts";
import { openSandboxRuntime } from "../parts/sandbox-runtime.ts";

const AT_ONCE = 16;
const LIMITS = ["--core=0", "--nofile=1024", "--data=2147483648"];

/** Starts `true` behind `prlimit` and bubblewrap with the options and descriptors of the gate, which checks nothing. */
function bareSandbox(scratch: string, workspace: string): () => Promise<void> {
  const system = systemView({ searchPath: ["/usr/bin", "/bin"], workspace, home: null });
  const limits = { memoryBytes: 2 ** 31, openFiles: 1024 };
  const held = { path: workspace as CheckedPath, fd: -1, kind: "directory", [Symbol.dispose]: () => {} } as const;
  const options = sandboxOptions(
    { argv: ["/bin/true"], mounts: [{ kind: "held", held }], view: "system", limits, cwd: workspace },
    system,
    "/.ready",
  ).join("\0");
  const architecture = architectureOf(process.arch);
  if (architecture === null) throw new Error("no filter for this processor");
  const filter = seccompFilter(architecture, { unixSockets: "deny", tracing: "deny" });
  const contents = ["x:x:0:0:x:/:/bin/sh\n", "x:x:0:\n", "", ""];
  const paths = contents.map((content, index) => {
    const path = join(scratch, `given-${index}`);
    writeFileSync(path, content);
    return path;
  });
  const args = [...LIMITS, "bwrap", "--args", String(LAUNCH_FDS.options), "--", "/bin/true"];
  return async () => {
    const files = paths.map((path) => openSync(path, "r"));
    const pipes = Array.from({ length: LAUNCH_FDS.filter }, () => "pipe" as const);
    const child = spawn("prlimit", args, { env: { PATH: "/usr/bin" }, stdio: ["ignore", ...pipes, ...files] });
    for (const fd of files) closeSync(fd);
    const pipe = (fd: number): Duplex => (child.stdio as readonly unknown[])[fd] as Duplex;
    pipe(LAUNCH_FDS.options).end(options);
    pipe(LAUNCH_FDS.filter).end(filter);
    for (const fd of [1, 2, LAUNCH_FDS.status, LAUNCH_FDS.options, LAUNCH_FDS.filter]) pipe(fd).resume();
    const [code] = (await once(child, "close")) as [number];
    if (code !== 0) throw new Error(`bubblewrap ended with ${code}`);
  };
}

const PEER = "sandbox-runtime true";
const AGAINST_PEER: Aim = {
  says: "sandbox-runtime true / execute_command true",
  value: (usOf) => usOf(PEER) / usOf("execute_command true"),
  unit: "ratio",
  bound: { atLeast: 4 },
};

/** A sandboxed `true`, judged and recorded, against bare bubblewrap with the same namespaces. */
export const sandbox: Suite = {
  name: "sandbox",
  rounds: 30,
  warmUpRounds: 5,
  aims: [
    {
      says: "execute_command true / prlimit + bwrap true",
      value: (usOf) => usOf("execute_command true") / usOf("prlimit + bwrap true"),
      unit: "ratio",
      bound: { atMost: 1.5 },
    },
    {
      says: `${AT_ONCE} at once: throughput of bare bwrap`,
      value: (usOf) =>
        usOf(`prlimit + bwrap true, ${AT_ONCE} at once`) / usOf(`execute_command true, ${AT_ONCE} at once`),
      unit: "ratio",
      bound: { atLeast: 0.66 },
    },
  ],
  open: async ({ scratch, peers }) => {
    const folder = scratch.makeFolder("sandbox");
    const path = join(folder, "toolgate.yaml");
    const rules = [{ id: "true", effect: "allow", touch: { exec: ["true"] } }];
    writeFileSync(path, JSON.stringify({ tools: { builtin: ["shell"] }, rules }));
    const loaded = loadConfig({ path });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const gate = buildGate({ config: loaded.config });
    const governed = async (): Promise<void> => {
      const outcome = await gate.call({ tool: "execute_command", input: { command: "true", args: [] } });
      if (outcome.kind !== "completed") throw new Error(JSON.stringify(outcome));
    };
    const bare = bareSandbox(scratch.makeFolder("bare"), folder);
    const atOnce = (one: () => Promise<void>) => async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    };
    const peer = peers === "fetched" ? await openSandboxRuntime(folder) : "left out; `--peers` fetches it";
    if (typeof peer === "string") process.stderr.write(`sandbox-runtime: ${peer}\n`);
    const peerCases: readonly Case[] =
      typeof peer === "string" ? [] : [{ name: PEER, unitsPerRound: 1, round: () => peer.run("true") }];
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const [heldByOne, heldByMany]: readonly [number[], number[]] = [[], []];
    const watched = (run: () => Promise<void>, held: number[]) => async () => {
      delay.reset();
      delay.enable();
      await run();
      delay.disable();
      held.push(delay.max / 1e6);
    };
    const cases: readonly Case[] = [
      { name: "prlimit + bwrap true", unitsPerRound: 1, round: bare },
      { name: "execute_command true", unitsPerRound: 1, round: watched(governed, heldByOne) },
      ...peerCases,
      { name: `prlimit + bwrap true, ${AT_ONCE} at once`, unitsPerRound: AT_ONCE, round: atOnce(bare) },
      {
        name: `execute_command true, ${AT_ONCE} at once`,
        unitsPerRound: AT_ONCE,
        round: watched(atOnce(governed), heldByMany),
      },
    ];
    return {
      note: "power-safe ledger; the workspace read-only, no grant",
      cases,
      aims: peerCases.length === 0 ? [] : [AGAINST_PEER],
      close: async () => {
        process.stderr.write(
          `event loop held at most ${median(heldByOne)} ms by one start, ${median(heldByMany)} ms by ${AT_ONCE} (median of rounds)\n`,
        );
        if (typeof peer !== "string") await peer.close();
        await gate.close();
      },
    };
  },
};

const median = (values: readonly number[]): string =>
  values.toSorted((a, b) => a - b)[values.length >> 1]?.toFixed(1) ?? "?";
