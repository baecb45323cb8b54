// Twenty callers make governed calls, one after the other each, until the process is killed.
// node calls-forever.ts <folder> <seed>

import { openCounting } from "../pipeline/counting-gate.ts";

const [folder = "", seedText = "0"] = process.argv.slice(2);
const CALLERS = 20;

const caller = openCounting(folder);
process.stdout.write("calling\n");
await Promise.all(
  Array.from({ length: CALLERS }, async (_, i) => {
    for (let n = Number(seedText) + i; ; n += CALLERS) await caller.call(n);
  }),
);
