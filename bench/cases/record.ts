import type { Suite } from "../harness.ts";
import { openBareCommits } from "../parts/bare-commits.ts";
import { openGoverned } from "../parts/governed.ts";
import { oneByOne } from "../parts/in-flight.ts";
import { manyRules } from "../parts/many-rules.ts";

const CALLS = 20;
const ROUNDS = 80;
/** Until what a call goes through is compiled, which takes some thousand calls: else the compiler would be measured. */
const WARM_UP_ROUNDS = 150;

/** What recording a call costs, beside the commits without which it would not be recorded. */
export const record: Suite = {
  name: "record",
  rounds: ROUNDS,
  warmUpRounds: WARM_UP_ROUNDS,
  aims: [
    {
      says: "governed call / its two bare commits",
      value: (usOf) => usOf("governed, power-safe ledger") / usOf("two bare commits"),
      unit: "ratio",
      bound: { atMost: 1.6 },
    },
    {
      says: "the same with 100 rules",
      value: (usOf) => usOf("governed, with 100 rules") / usOf("two bare commits"),
      unit: "ratio",
      bound: { atMost: 1.6 },
    },
  ],
  open: async ({ scratch }) => {
    const bare = await openBareCommits(scratch, CALLS * (ROUNDS + WARM_UP_ROUNDS));
    const ledger = () => ({ stateDir: scratch.makeFolder("record"), durability: "full" }) as const;
    const governed = openGoverned(scratch, { ledger: ledger() });
    const ruled = openGoverned(scratch, { ledger: ledger(), rules: manyRules(100) });
    return {
      cases: [
        {
          name: "two bare commits",
          unitsPerRound: CALLS,
          round: () => {
            for (let made = 0; made < CALLS; made++) bare.calls(1);
          },
        },
        { name: "governed, power-safe ledger", unitsPerRound: CALLS, round: () => oneByOne(CALLS, governed.call) },
        { name: "governed, with 100 rules", unitsPerRound: CALLS, round: () => oneByOne(CALLS, ruled.call) },
      ],
      close: async () => {
        bare.close();
        await governed.close();
        await ruled.close();
      },
    };
  },
};
