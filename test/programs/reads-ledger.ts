// Verifies a ledger, and says how many entries it has, or why it can't be read.
// node reads-ledger.ts <state directory>

import { LedgerReader } from "../../src/store/sqlite/ledger-reader.ts";
import { verifyLedger } from "../../src/store/sqlite/verify-ledger.ts";

const [stateDir = ""] = process.argv.slice(2);
const verified = await verifyLedger({ stateDir, threads: 1 });
if (verified.kind === "unreadable") {
  console.log(JSON.stringify({ reason: verified.reason }));
} else {
  using reader = LedgerReader.open(stateDir);
  console.log(JSON.stringify({ ok: verified.report.ok, size: reader?.size ?? 0 }));
}
