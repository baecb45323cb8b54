// Makes four governed calls and kills itself when one of them reaches a border. What the callers see goes to a history.
// node dies-at.ts <folder> allowed|asked|refused <border> <seed>

import type { Border } from "../../src/ports/probe.ts";
import { type Caller, openCounting } from "../pipeline/counting-gate.ts";

const [folder = "", mode = "", border = "", seedText = "0"] = process.argv.slice(2);
const seed = Number(seedText);
const CALLS = 4;

const victim = seed % CALLS;
const passes = Math.floor(seed / CALLS) % 2; // an asked call passes the first borders twice
const isConcurrent = Math.floor(seed / (2 * CALLS)) % 2 === 1;

let seen = 0;
const reached = (at: Border, callId: string) => {
  if (at !== border || callId !== caller.ids[victim]) return;
  if (seen++ === passes || !isPassedTwice(at)) process.kill(process.pid, "SIGKILL");
};
const caller: Caller = openCounting(folder, { reached });

const made = Array.from({ length: CALLS }, (_, i) => () => caller.call(i + seed));
if (isConcurrent) await Promise.all(made.map((make) => make()));
else for (const make of made) await make();
await caller.gate.close();

function isPassedTwice(at: Border): boolean {
  return mode === "asked" && ["received", "resolved", "validated", "planned", "judged"].includes(at);
}
