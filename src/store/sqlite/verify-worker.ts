import { parentPort, workerData } from "node:worker_threads";
import { LedgerReader } from "./ledger-reader.ts";
import { type RangeWork, verifyRanges } from "./verify-range.ts";

const work = workerData as RangeWork;
using reader = LedgerReader.open(work.stateDir);
parentPort?.postMessage([...verifyRanges(reader, work)]);
