import { execPath } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { Case, Suite } from "../harness.ts";
import { openBareCommits } from "../parts/bare-commits.ts";
import { gateways, WITHOUT_GATEWAYS } from "../parts/gateways.ts";
import {
  byHttp,
  CALLS,
  calls,
  ECHO,
  ECHO_HTTP,
  gateWith,
  onPipes,
  type Peer,
  type Program,
  RELAY,
  residentMb,
} from "../parts/mcp-peers.ts";
import { CHECKOUT, publishedCommand } from "../parts/published-package.ts";

const AT_ONCE = 16;
const IDLE_MS = 2000;
const GATE = "toolgate mcp";
const NORMAL = "toolgate mcp, normal ledger";
const RELAY_WITH_COMMITS = "relay, and two bare commits";
const ROUNDS = 15;
const WARM_UP_ROUNDS = 5;

/** An echo behind the gate, with rules and ledger, against the same echo spoken to directly. On pipes, all of them. */
export const mcp: Suite = {
  name: "mcp",
  rounds: ROUNDS,
  warmUpRounds: WARM_UP_ROUNDS,
  aims: [
    {
      says: "one by one, power-safe ledger / a relay that makes two bare commits",
      value: (usOf) => usOf(GATE) / usOf(RELAY_WITH_COMMITS),
      unit: "ratio",
      bound: { atMost: 4 },
    },
    {
      says: "start to the first list / bare SDK server",
      value: (usOf) => usOf("toolgate mcp, start to list") / usOf("direct, start to list"),
      unit: "ratio",
      bound: { atMost: 1.2 },
    },
    {
      says: "memory of the gate, idle",
      value: (_, factOf) => factOf("idle MB"),
      unit: "MB",
      bound: { atMost: 110 },
    },
  ],
  open: async ({ scratch }) => {
    const command = publishedCommand(scratch);
    const direct = { args: [ECHO], cwd: CHECKOUT };
    const full = gateWith(scratch.makeFolder("mcp-full"), command, "full", ["mcp"]);
    const normal = gateWith(scratch.makeFolder("mcp-normal"), command, "normal", ["mcp"]);
    const plain = await onPipes(direct, "echo");
    const governed = await onPipes(full, "up_echo");
    const quick = await onPipes(normal, "up_echo");
    const relayed = await onPipes({ args: [RELAY, execPath, ECHO], cwd: CHECKOUT }, "echo");
    const bridged = await openBridge();
    const commits = await openBareCommits(scratch, 2 * CALLS * (ROUNDS + WARM_UP_ROUNDS));
    const peers = [plain, governed, quick, relayed, ...(bridged?.peers ?? [])];
    await Promise.all(peers.map(({ client }) => client.listTools()));
    // Idle is who has had nothing to do for a while.
    await delay(IDLE_MS);
    const idleMb = residentMb(governed.pid);
    const all = (atOnce: number) => [
      calls("direct", plain, atOnce),
      calls("relay", relayed, atOnce),
      calls(RELAY_WITH_COMMITS, relayed, atOnce, () => commits.calls(atOnce)),
      calls(GATE, governed, atOnce),
      calls(NORMAL, quick, atOnce),
      ...(bridged === null ? [] : [calls("supergateway, to HTTP", bridged.peer, atOnce)]),
    ];
    return {
      note: `whole processes on pipes, client and server on SDK 2.4; ${bridged === null ? WITHOUT_GATEWAYS : "with another gateway"}`,
      facts: { "idle MB": idleMb },
      cases: [
        ...all(1),
        ...all(AT_ONCE),
        starts("direct, start to list", direct),
        starts("toolgate mcp, start to list", full),
      ],
      close: async () => {
        commits.close();
        await Promise.all(peers.map((peer) => peer.close()));
      },
    };
  },
};

/** The only one of them that serves pipes does it for a server that is reached by HTTP. */
async function openBridge(): Promise<{ readonly peer: Peer; readonly peers: readonly Peer[] } | null> {
  const found = gateways();
  if (found === null) return null;
  const behind = await byHttp({ args: [ECHO_HTTP], cwd: CHECKOUT }, "echo", "printed");
  const args = [found.supergateway, "--streamableHttp", behind.url, "--logLevel", "none"];
  const peer = await onPipes({ args, cwd: CHECKOUT }, "echo");
  return { peer, peers: [peer, behind] };
}

const starts = (name: string, program: Program): Case => ({
  name,
  unitsPerRound: 1,
  round: async () => {
    const { client, close } = await onPipes(program, "");
    await client.listTools();
    await close();
  },
});
