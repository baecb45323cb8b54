import type { Aim, Suite } from "../harness.ts";
import { openGoverned } from "../parts/governed.ts";
import { oneByOne } from "../parts/in-flight.ts";
import { manyRules } from "../parts/many-rules.ts";
import { openMcpEcho } from "../parts/mcp-echo.ts";

const CALLS = 2000;
const FLAT = { atMost: 1.2 };

const flat = (says: string, many: string, few: string): Aim => ({
  says,
  value: (usOf) => usOf(many) / usOf(few),
  unit: "ratio",
  bound: FLAT,
});

/** Checking and judging a call costs the same however many rules and tools there are. */
export const scale: Suite = {
  name: "scale",
  rounds: 60,
  warmUpRounds: 15,
  aims: [
    flat("1,000 rules / 10 rules", "1,000 rules", "10 rules"),
    flat("10,000 tools / 10 tools", "10,000 tools", "10 tools"),
    {
      says: "governed call with validation and 100 rules / MCP call",
      value: (usOf) => usOf("100 rules") / usOf("MCP call in memory"),
      unit: "ratio",
      bound: { atMost: 0.25 },
    },
  ],
  open: async ({ scratch }) => {
    const mcp = await openMcpEcho();
    const governed = (name: string, rules: number, otherTools: number) => {
      const { call } = openGoverned(scratch, { ledger: "none", rules: manyRules(rules), otherTools });
      return { name, unitsPerRound: CALLS, round: () => oneByOne(CALLS, call) };
    };
    return {
      cases: [
        { name: "MCP call in memory", unitsPerRound: 500, round: () => oneByOne(500, mcp.call) },
        governed("10 rules", 10, 0),
        governed("100 rules", 100, 0),
        governed("1,000 rules", 1000, 0),
        governed("10 tools", 10, 9),
        governed("10,000 tools", 10, 9999),
      ],
      close: () => mcp.close(),
    };
  },
};
