import type { Suite } from "../harness.ts";
import { openBareCommits } from "../parts/bare-commits.ts";
import { openGoverned } from "../parts/governed.ts";
import { inFlight } from "../parts/in-flight.ts";
import { openMcpEcho } from "../parts/mcp-echo.ts";

const WIDTH = 32;
const CALLS = 10 * WIDTH;
const ROUNDS = 60;
const WARM_UP_ROUNDS = 15;

/** Calls in flight share their commits, so that durability is nearly free under load. */
export const load: Suite = {
  name: "load",
  rounds: ROUNDS,
  warmUpRounds: WARM_UP_ROUNDS,
  aims: [
    {
      says: "throughput governed / ungoverned, 32 in flight",
      value: (usOf) => usOf("MCP call, 32 in flight") / usOf("governed, power-safe ledger, 32 in flight"),
      unit: "ratio",
      bound: { atLeast: 0.33 },
    },
  ],
  open: async ({ scratch }) => {
    const mcp = await openMcpEcho();
    const governed = openGoverned(scratch, { ledger: { stateDir: scratch.makeFolder("load"), durability: "full" } });
    const bare = await openBareCommits(scratch, CALLS * (ROUNDS + WARM_UP_ROUNDS));
    return {
      note: "the bare commits, of 32 calls each, are what no ledger of these rows can undercut",
      cases: [
        { name: "MCP call, 32 in flight", unitsPerRound: CALLS, round: () => inFlight(WIDTH, CALLS, mcp.call) },
        {
          name: "governed, power-safe ledger, 32 in flight",
          unitsPerRound: CALLS,
          round: () => inFlight(WIDTH, CALLS, governed.call),
        },
        {
          name: "bare commits of 32 calls",
          unitsPerRound: CALLS,
          round: () => {
            for (let made = 0; made < CALLS; made += WIDTH) bare.calls(WIDTH);
          },
        },
      ],
      close: async () => {
        await mcp.close();
        await governed.close();
        bare.close();
      },
    };
  },
};
