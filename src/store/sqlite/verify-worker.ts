import { parentPort, workerData } from "node:worker_threads";
import { type RangeWork, verifyRanges } from "./verify-range.ts";

parentPort?.postMessage([...verifyRanges(workerData as RangeWork)]);
