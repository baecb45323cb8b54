// Lets programs try to get at a path that is denied and lies in folders that are not there, and prints as JSON what they
// said and what is left: by one call, by two at once, and by one that puts something of its own beside it.

import { readdirSync } from "node:fs";
import { openRunningGate, printed, RUN_ALL } from "../support/running-gate.ts";

const TRIES = [
  "mkdir -p new/deep",
  "echo bad > new/deep/denied.txt",
  "mv new/deep other",
  "mv new other",
  "rm -rf new",
  "mkdir -p new/deep && echo bad > new/deep/denied.txt/x",
  "ln -s /tmp new/deep/denied.txt",
  "mv new/deep/denied.txt away",
  // What can't be moved is copied.
  "rm -rf other away",
];

await using scratch = openRunningGate([
  ...RUN_ALL,
  { id: "closed", effect: "deny", touch: { write: ["./new/deep/denied.txt", "./keys/private/**"] } },
]);
scratch.put("try.sh", TRIES.join("\n"));
scratch.put(
  "beside.sh",
  "mkdir -p new/deep; echo good > new/deep/mine; echo bad > new/deep/denied.txt; mkdir keys/private/x",
);
scratch.put("wait.sh", "until [ -e go ]; do sleep 0.01; done; mkdir -p new/deep; echo bad > new/deep/denied.txt");
const listed = (path = "."): readonly string[] => readdirSync(`${scratch.workspace}/${path}`).sort();

const alone = printed(await scratch.run("bash try.sh"));
const left = listed();
const waiting = scratch.run("bash wait.sh");
await scratch.run("true");
scratch.put("go");
const together = printed(await waiting);
const leftTogether = listed();
const beside = printed(await scratch.run("bash beside.sh"));
const kept = [listed(), listed("new/deep"), scratch.text("new/deep/mine")];
process.stdout.write(JSON.stringify({ alone, left, together, leftTogether, beside, kept }));
