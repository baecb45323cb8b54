// Has a gate run a command that prints so many bytes, and tells what was kept of it and how much memory that took.
// node prints-much.ts <bytes> <command that prints for ever>

import { openRunningGate } from "../support/running-gate.ts";

const [bytes = "", command = ""] = process.argv.slice(2);
await using scratch = openRunningGate();
await scratch.run(`${command} | head -c 50000000`); // what is loaded and allocated once
const before = process.resourceUsage().maxRSS;
const outcome = await scratch.run(`${command} | head -c ${bytes}`, { timeoutMs: 3_600_000 });
const grownKb = process.resourceUsage().maxRSS - before;
const { kind, structured } = outcome as unknown as { kind: string; structured: object };
const kept = "content" in outcome ? JSON.stringify(outcome.content).length : 0;
process.stdout.write(JSON.stringify({ kind, structured, kept, grownKb }));
