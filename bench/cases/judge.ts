import type { Suite } from "../harness.ts";
import { openGoverned } from "../parts/governed.ts";
import { oneByOne } from "../parts/in-flight.ts";
import { openMcpEcho } from "../parts/mcp-echo.ts";

/** What checking and judging a call costs, beside the call that an agent makes anyway. */
export const judge: Suite = {
  name: "judge",
  rounds: 60,
  warmUpRounds: 15,
  aims: [
    {
      says: "governed call without ledger / MCP call",
      value: (usOf) => usOf("governed, no ledger") / usOf("MCP call in memory"),
      unit: "ratio",
      bound: { atMost: 0.25 },
    },
  ],
  open: async ({ scratch }) => {
    const mcp = await openMcpEcho();
    const governed = openGoverned(scratch, { ledger: "none" });
    return {
      cases: [
        { name: "MCP call in memory", unitsPerRound: 500, round: () => oneByOne(500, mcp.call) },
        { name: "governed, no ledger", unitsPerRound: 2000, round: () => oneByOne(2000, governed.call) },
      ],
      close: () => mcp.close(),
    };
  },
};
