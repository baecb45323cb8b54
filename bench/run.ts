// Measures what the gate costs, as ratios against something that is not ours, in one run.
//   npm run bench -- [--quick] [--only NAME] [--peers] [--json] [--check]

import { parseArgs } from "node:util";
import { atip } from "./cases/atip.ts";
import { coldStart } from "./cases/cold-start.ts";
import { flat } from "./cases/flat.ts";
import { formats } from "./cases/formats.ts";
import { judge } from "./cases/judge.ts";
import { load } from "./cases/load.ts";
import { mcp } from "./cases/mcp.ts";
import { mcpHttp } from "./cases/mcp-http.ts";
import { record } from "./cases/record.ts";
import { sandbox } from "./cases/sandbox.ts";
import { scale } from "./cases/scale.ts";
import { scripts } from "./cases/scripts.ts";
import { search } from "./cases/search.ts";
import { server } from "./cases/server.ts";
import { sessions } from "./cases/sessions.ts";
import { shell } from "./cases/shell.ts";
import { verify } from "./cases/verify.ts";
import { measure, type Suite, type SuiteResult } from "./harness.ts";
import { fileSystemOf, thisMachine } from "./machine.ts";
import { makeScratch } from "./parts/scratch.ts";
import { suiteText } from "./report.ts";

const SUITES: readonly Suite[] = [
  judge,
  scale,
  shell,
  record,
  load,
  flat,
  server,
  sessions,
  verify,
  search,
  sandbox,
  scripts,
  formats,
  atip,
  mcp,
  mcpHttp,
  coldStart,
];

const { values: flags } = parseArgs({
  options: {
    /** A long ledger of a tenth of the entries. */
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    /** Packages of others are fetched, into a folder of their own, and compared with. */
    peers: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** Exit code 1 when an aim is missed. Not the default: a busy machine misses aims as well. */
    check: { type: "boolean", default: false },
  },
});

const wanted = SUITES.filter(({ name }) => flags.only === undefined || name === flags.only);
if (wanted.length === 0) {
  process.stderr.write(`bench: \`${flags.only}\` is none of ${SUITES.map(({ name }) => name).join(", ")}\n`);
  process.exit(2);
}

const scratch = makeScratch();
const machine = { ...thisMachine(), fileSystem: fileSystemOf(scratch.folder) };
if (!flags.json) {
  const { cpu, cores, node, load: busy, fileSystem } = machine;
  process.stdout.write(`${cpu}, ${cores} cores, load ${busy.toFixed(2)}, node ${node}, ledgers on ${fileSystem}\n`);
  // Waiting for others makes slow and fast look alike, for better or worse.
  if (busy > cores / 2)
    process.stdout.write("the machine is busy with something else: believe none of these figures\n");
  process.stdout.write("\n");
}
const results: SuiteResult[] = [];
try {
  for (const suite of wanted) {
    const result = await measure(suite, {
      scratch,
      longLedgerEntries: flags.quick ? 100_000 : 1_000_000,
      peers: flags.peers ? "fetched" : "left out",
    });
    results.push(result);
    if (!flags.json) process.stdout.write(`${suiteText(result)}\n`);
  }
} finally {
  scratch.remove();
}
if (flags.json) process.stdout.write(`${JSON.stringify({ machine, results })}\n`);
if (flags.check && results.some(({ aims }) => aims.some(({ isMet }) => !isMet))) process.exitCode = 1;
