import type { Suite } from "../harness.ts";
import { filledLedger } from "../parts/filled-ledger.ts";
import { openGoverned } from "../parts/governed.ts";
import { inFlight, oneByOne } from "../parts/in-flight.ts";

const WIDTH = 32;
const CALLS_SERIAL = 20;
const CALLS_IN_FLIGHT = 320;

/** A call costs the same however long the ledger has become. */
export const flat: Suite = {
  name: "flat",
  rounds: 60,
  warmUpRounds: 15,
  aims: [
    {
      says: "one by one, long ledger / empty ledger",
      value: (usOf) => usOf("one by one, long ledger") / usOf("one by one, empty ledger"),
      unit: "ratio",
      bound: { atMost: 1.2 },
    },
    {
      says: "32 in flight, long ledger / empty ledger",
      value: (usOf) => usOf("32 in flight, long ledger") / usOf("32 in flight, empty ledger"),
      unit: "ratio",
      bound: { atMost: 1.2 },
    },
  ],
  open: async ({ scratch, longLedgerEntries }) => {
    const stateDirs = { empty: scratch.makeFolder("empty"), long: await filledLedger(longLedgerEntries) };
    const empty = openGoverned(scratch, { ledger: { stateDir: stateDirs.empty, durability: "full" } });
    const long = openGoverned(scratch, { ledger: { stateDir: stateDirs.long, durability: "full" } });
    const serial = (name: string, call: () => Promise<unknown>) => ({
      name: `one by one, ${name} ledger`,
      unitsPerRound: CALLS_SERIAL,
      round: () => oneByOne(CALLS_SERIAL, call),
    });
    const wide = (name: string, call: () => Promise<unknown>) => ({
      name: `32 in flight, ${name} ledger`,
      unitsPerRound: CALLS_IN_FLIGHT,
      round: () => inFlight(WIDTH, CALLS_IN_FLIGHT, call),
    });
    return {
      note: `long: ${longLedgerEntries.toLocaleString("en")} entries`,
      cases: [
        serial("empty", empty.call),
        serial("long", long.call),
        wide("empty", empty.call),
        wide("long", long.call),
      ],
      close: async () => {
        await empty.close();
        await long.close();
      },
    };
  },
};
