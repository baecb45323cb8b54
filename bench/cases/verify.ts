import { availableParallelism } from "node:os";
import { verifyLedger } from "../../src/store/sqlite/verify-ledger.ts";
import type { Suite } from "../harness.ts";
import { filledLedger, ledgerSize } from "../parts/filled-ledger.ts";

/** How long a person waits for `toolgate ledger verify`. */
export const verify: Suite = {
  name: "verify",
  rounds: 5,
  warmUpRounds: 1,
  aims: [
    {
      says: "entries verified",
      value: (usOf) => 1_000_000 / usOf("an entry"),
      unit: "per second",
      bound: { atLeast: 250_000 },
    },
  ],
  open: async ({ longLedgerEntries }) => {
    const stateDir = await filledLedger(longLedgerEntries);
    const threads = availableParallelism();
    const entries = ledgerSize(stateDir);
    return {
      note: `${entries.toLocaleString("en")} entries, ${threads} threads`,
      cases: [
        {
          name: "an entry",
          unitsPerRound: entries,
          round: async () => {
            const verified = await verifyLedger({ stateDir, threads, thisThread: "helps" });
            if (verified.kind === "judged" && verified.report.ok) return;
            throw new Error(`the ledger is not what was written: ${JSON.stringify(verified)}`);
          },
        },
      ],
    };
  },
};
