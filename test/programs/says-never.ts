// Asks about new files in a workspace, is told by each line of its input to begin, and answers every question with "never".
// node says-never.ts <folder of the config> <name> <how many>

import { join } from "node:path";
import { createInterface } from "node:readline";
import { readEnvironment } from "../../src/config/environment.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import { readSettings } from "../../src/wiring/settings.ts";

const [folder = "", name = "", count = "0"] = process.argv.slice(2);
const environment = { ...readEnvironment(), xdgState: join(folder, "accepted") };
const reread = () => readSettings({ cwd: process.cwd(), environment, configFlag: join(folder, "toolgate.yaml") });
const read = reread();
if (read.kind !== "ready") throw new Error(JSON.stringify(read));
const gate = buildGate({ config: read.config, environment, reread });

const proposals = await Promise.all(
  Array.from({ length: Number(count) }, async (_, at) => {
    const call = { tool: "write_file", input: { path: `${name}-${at}`, content: "x" } };
    const outcome = await gate.call(call, { whenAsked: "return" });
    if (outcome.kind !== "pending") throw new Error(JSON.stringify(outcome));
    const approvalId = outcome.approval.id;
    const question = await gate.approvals.find(approvalId);
    const proposed = question && gate.always.propose(question.shown, "reject");
    if (!proposed?.ok) throw new Error(JSON.stringify(proposed));
    return { approvalId, proposed };
  }),
);

process.stdout.write("ready\n");
for await (const _ of createInterface({ input: process.stdin })) {
  for (const { proposed, approvalId } of proposals) {
    const saved = await gate.always.save(proposed, { who: name, approvalId });
    if (!saved.ok) throw new Error(saved.message);
  }
  process.stdout.write("saved\n");
}
await gate.close();
