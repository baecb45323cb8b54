// Has a gate run commands that print so many bytes, and tells what was kept of it and how much memory that took.
// node prints-much.ts <bytes>

import { openRunningGate, printed } from "../support/running-gate.ts";

const bytes = Number(process.argv[2]);
const told: object[] = [];
for (const command of [
  `head -c ${bytes} /dev/zero`,
  `yes 'some text of a line that says nothing' | head -c ${bytes}`,
  `yes 'some text of a line that says nothing' | head -c ${bytes} >&2`,
]) {
  await using scratch = openRunningGate();
  await scratch.run("head -c 5000000 /dev/zero"); // what is loaded and allocated once
  const before = process.resourceUsage().maxRSS;
  const outcome = await scratch.run(command, { timeoutMs: 3_600_000 });
  const { maxRSS } = process.resourceUsage();
  const { kind, structured } = outcome as unknown as { kind: string; structured: object };
  const kept = "content" in outcome ? JSON.stringify(outcome.content).length : 0;
  told.push({ kind, structured, kept, shown: printed(outcome).length, grownKb: maxRSS - before });
}
process.stdout.write(JSON.stringify(told));
