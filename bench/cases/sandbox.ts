import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { loadConfig } from "../../src/config/config.ts";
import { sandboxOptions } from "../../src/sandbox/bubblewrap-arguments.ts";
import { systemView } from "../../src/sandbox/system-view.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Aim, Case, Suite } from "../harness.ts";
import { openSandboxRuntime } from "../parts/sandbox-runtime.ts";

const AT_ONCE = 16;
const run = promisify(execFile);

/** What the gate tells bubblewrap, without what is passed by descriptor: what bubblewrap costs by itself. */
function bareArguments(workspace: string): readonly string[] {
  const system = systemView({ searchPath: ["/usr/bin", "/bin"], workspace, home: null });
  const limits = { memoryBytes: 2 ** 31, openFiles: 1024 };
  const options = sandboxOptions(
    { argv: ["true"], mounts: [], view: "system", limits, cwd: workspace },
    system,
    "/.ready",
  );
  const seen = ["--ro-bind", workspace, workspace];
  const words = options.filter(
    (_, index) => !DESCRIPTORS.some(([name, count]) => isPartOf(options, index, name, count)),
  );
  const at = words.indexOf("--dir");
  return [...words.slice(0, at), ...seen, ...words.slice(at)];
}

const DESCRIPTORS = [
  ["--seccomp", 2],
  ["--json-status-fd", 2],
  ["--block-fd", 2],
  ["--file", 3],
] as const;

const isPartOf = (words: readonly string[], index: number, name: string, count: number): boolean =>
  words.slice(Math.max(0, index - count + 1), index + 1).includes(name);

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
      bound: { atMost: 1.15 },
    },
    {
      says: `${AT_ONCE} at once: throughput of bare bwrap`,
      value: (usOf) =>
        usOf(`prlimit + bwrap true, ${AT_ONCE} at once`) / usOf(`execute_command true, ${AT_ONCE} at once`),
      unit: "ratio",
      bound: { atLeast: 0.9 },
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
    const limits = ["--core=0", "--nofile=1024", "--data=2147483648", "bwrap"];
    const bare = async (): Promise<void> => {
      await run("prlimit", [...limits, ...bareArguments(folder), "--", "true"], { env: { PATH: "/usr/bin" } });
    };
    const atOnce = (one: () => Promise<void>) => async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    };
    const peer = peers === "fetched" ? await openSandboxRuntime(folder) : "left out; `--peers` fetches it";
    if (typeof peer === "string") process.stderr.write(`sandbox-runtime: ${peer}\n`);
    const peerCases: readonly Case[] =
      typeof peer === "string" ? [] : [{ name: PEER, unitsPerRound: 1, round: () => peer.run("true") }];
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const held: number[] = [];
    const watched = atOnce(governed);
    const cases: readonly Case[] = [
      { name: "prlimit + bwrap true", unitsPerRound: 1, round: bare },
      { name: "execute_command true", unitsPerRound: 1, round: governed },
      ...peerCases,
      { name: `prlimit + bwrap true, ${AT_ONCE} at once`, unitsPerRound: AT_ONCE, round: atOnce(bare) },
      {
        name: `execute_command true, ${AT_ONCE} at once`,
        unitsPerRound: AT_ONCE,
        round: async () => {
          delay.reset();
          delay.enable();
          await watched();
          delay.disable();
          held.push(delay.max / 1e6);
        },
      },
    ];
    return {
      note: "power-safe ledger; the workspace read-only, no grant",
      cases,
      aims: peerCases.length === 0 ? [] : [AGAINST_PEER],
      close: async () => {
        const sorted = held.toSorted((a, b) => a - b);
        process.stderr.write(
          `event loop held at most ${sorted[sorted.length >> 1]?.toFixed(1)} ms (median of rounds of ${AT_ONCE})\n`,
        );
        if (typeof peer !== "string") await peer.close();
        await gate.close();
      },
    };
  },
};
