import type { Aim, Case, Suite } from "../harness.ts";
import { type BareCommits, openBareCommits } from "../parts/bare-commits.ts";
import { gateways, WITHOUT_GATEWAYS } from "../parts/gateways.ts";
import { byHttp, CALLS, calls, ECHO, ECHO_HTTP, freePort, gateWith, type Peer } from "../parts/mcp-peers.ts";
import { CHECKOUT, publishedCommand } from "../parts/published-package.ts";

const AT_ONCE = 16;
const GATE = "toolgate serve";
const DIRECT_WITH_COMMITS = "direct, and two bare commits";
const ROUNDS = 15;
const WARM_UP_ROUNDS = 5;

/** The proxy neither judges nor records. */
const AGAINST_PROXY: Aim = {
  says: "throughput / mcp-proxy, 16 at once",
  value: (usOf) => usOf(`mcp-proxy, ${AT_ONCE} at once`) / usOf(`${GATE}, ${AT_ONCE} at once`),
  unit: "ratio",
  bound: { atLeast: 0.8 },
};

/** The same by HTTP: a server on pipes behind a gateway, against the SDK's own server that has the tool itself. */
export const mcpHttp: Suite = {
  name: "mcp-http",
  rounds: ROUNDS,
  warmUpRounds: WARM_UP_ROUNDS,
  aims: [
    {
      says: "one by one, power-safe ledger / direct with two bare commits",
      value: (usOf) => usOf(GATE) / usOf(DIRECT_WITH_COMMITS),
      unit: "ratio",
      bound: { atMost: 1.5 },
    },
  ],
  open: async ({ scratch }) => {
    const command = publishedCommand(scratch);
    const served = (durability: "full" | "normal") =>
      gateWith(scratch.makeFolder("mcp-http"), command, durability, ["serve", "--port", "0", "--json"]);
    const direct = await byHttp({ args: [ECHO_HTTP], cwd: CHECKOUT }, "echo", "printed");
    const governed = await byHttp(served("full"), "up_echo", "printed");
    const quick = await byHttp(served("normal"), "up_echo", "printed");
    const bridges = await openBridges();
    const commits = await openBareCommits(scratch, 2 * CALLS * (ROUNDS + WARM_UP_ROUNDS));
    const peers = [direct, governed, quick, ...bridges.values()];
    await Promise.all(peers.map(({ client }) => client.listTools()));
    const all = (atOnce: number) => [
      calls("direct", direct, atOnce),
      withCommits(DIRECT_WITH_COMMITS, direct, atOnce, commits),
      calls(GATE, governed, atOnce),
      calls(`${GATE}, normal ledger`, quick, atOnce),
      ...[...bridges].map(([name, peer]) => calls(name, peer, atOnce)),
    ];
    return {
      note: bridges.size === 0 ? WITHOUT_GATEWAYS : "with other gateways before the same server on pipes",
      cases: [...all(1), ...all(AT_ONCE)],
      aims: bridges.size === 0 ? [] : [AGAINST_PROXY],
      close: async () => {
        commits.close();
        await Promise.all(peers.map((peer) => peer.close()));
      },
    };
  },
};

/** What no gate that records a call twice can undercut. */
const withCommits = (name: string, peer: Peer, atOnce: number, commits: BareCommits): Case =>
  calls(name, peer, atOnce, () => commits.calls(atOnce));

async function openBridges(): Promise<ReadonlyMap<string, Peer>> {
  const found = gateways();
  if (found === null) return new Map();
  const [one, other] = [await freePort(), await freePort()];
  const at = (port: number) => ({ url: `http://127.0.0.1:${port}/mcp` });
  const proxy = [found.mcpProxy, "--port", String(one), "--host", "127.0.0.1", "--server", "stream", "--"];
  const bridge = [found.supergateway, "--outputTransport", "streamableHttp", "--stateful", "--logLevel", "none"];
  return new Map([
    ["mcp-proxy", await byHttp({ args: [...proxy, process.execPath, ECHO], cwd: CHECKOUT }, "echo", at(one))],
    [
      "supergateway",
      await byHttp(
        { args: [...bridge, "--port", String(other), "--stdio", `${process.execPath} ${ECHO}`], cwd: CHECKOUT },
        "echo",
        at(other),
        "legacy",
      ),
    ],
  ]);
}
