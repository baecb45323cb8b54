// A gate with one tool, `count`, which adds a byte to a file each time it runs. Does what the lines of its input say,
// side by side, and prints one line of JSON for each. At the end of the input it closes the gate.
// node makes-calls.ts <config> <counter file>
//
//   {"call": {…}}          calls `count`; the input may say `fill`, a file to fill the disk with while it runs
//   {"use": {…}}           calls any tool of the config: `tool` and `input`
//   {"fill": "file"}       writes to the file until the disk is full
//   {"free": "file"}       removes it
//   {"states": true}       the state of every call, by id
//   {"verify": true}       the verdict on the ledger
//   {"checkpoint": true}   signs the ledger

import { appendFileSync, closeSync, openSync, rmSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import { statesOf } from "../store/state-dir.ts";

interface Command {
  readonly call?: JsonObject;
  readonly use?: { readonly tool: string; readonly input: JsonObject };
  readonly fill?: string;
  readonly free?: string;
  readonly states?: true;
  readonly verify?: true;
  readonly checkpoint?: true;
}

const [configPath = "", counter = ""] = process.argv.slice(2);
const loaded = loadConfig({ path: configPath });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const count = defineTool<{ fill?: string }>({
  name: "count",
  description: "counts its runs",
  inputSchema: { type: "object" },
  execute: ({ fill }) => {
    appendFileSync(counter, ".");
    if (fill !== undefined) fillDisk(fill);
    return "counted";
  },
});
const gate = buildGate({ config: loaded.config, tools: [count] });

const underWay: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) underWay.push(answer(JSON.parse(line)));
await Promise.all(underWay);
await gate.close();

async function answer(command: Command): Promise<void> {
  const said = await done(command).catch((error: Error) => ({ error: error.message }));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

async function done({ call, use, fill, free, states, verify, checkpoint }: Command): Promise<unknown> {
  if (call) return gate.call({ tool: "count", input: call });
  if (use) return gate.call(use);
  if (fill) return fillDisk(fill);
  if (free) rmSync(free);
  if (states && loaded.ok) return statesOf(loaded.config.stateDir);
  if (verify) return gate.ledger.verify();
  if (checkpoint) return gate.ledger.checkpoint();
  return null;
}

function fillDisk(path: string): null {
  const fd = openSync(path, "a");
  try {
    for (const bytes of [1 << 20, 1 << 12, 1]) fillWith(fd, Buffer.alloc(bytes));
  } finally {
    closeSync(fd);
  }
  return null;
}

function fillWith(fd: number, block: Buffer): void {
  try {
    for (;;) writeSync(fd, block);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOSPC") throw error;
  }
}
