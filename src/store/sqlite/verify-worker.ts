import { parentPort, workerData } from "node:worker_threads";
import { type RangeTask, verifyRange } from "./verify-range.ts";

parentPort?.postMessage(verifyRange(workerData as RangeTask));
