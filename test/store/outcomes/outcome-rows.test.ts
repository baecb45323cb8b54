import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { KeptOutcome } from "../../../src/ports/outcomes.ts";
import { OutcomeRows } from "../../../src/store/outcomes/outcome-rows.ts";
import { openScratch } from "../../config/scratch.ts";

const kept: KeptOutcome = {
  outcome: {
    kind: "refused",
    callId: "call_1",
    tool: "t",
    durationMs: 0,
    refusal: { code: "CANCELLED", stage: "judge", message: "m" },
  },
  params: { a: 1 },
};

const idOf = (n: number): string => `call_${n.toString(16).padStart(6, "0")}`;

it("keeps an outcome for other processes, where only this user can read it", async () => {
  using scratch = openScratch();
  const writing = new OutcomeRows(scratch.folder);
  await writing.keep("call_1", kept);
  const reading = new OutcomeRows(scratch.folder);
  expect(await reading.find("call_1")).toEqual(kept);
  expect(await reading.find("call_2")).toBeNull();
  for (const name of readdirSync(scratch.folder)) expect(statSync(join(scratch.folder, name)).mode & 0o777).toBe(0o600);
  writing.close();
  reading.close();
});

it("writes those that end together at once, and what is left when it is closed", async () => {
  using scratch = openScratch();
  const writing = new OutcomeRows(scratch.folder);
  const ids = Array.from({ length: 300 }, (_, n) => idOf(n));
  const written = ids.map((id) => writing.keep(id, kept));
  expect(await writing.find(idOf(0))).toEqual(kept); // neither written nor among the last that are remembered
  writing.close();
  await Promise.all(written);
  const reading = new OutcomeRows(scratch.folder);
  expect(await Promise.all(ids.map((id) => reading.find(id)))).toEqual(ids.map(() => kept));
  reading.close();
});

it("is told the first time what became of a call, and no other", async () => {
  using scratch = openScratch();
  const one = new OutcomeRows(scratch.folder);
  await one.keep("call_1", kept);
  await one.keep("call_1", { ...kept, params: {} });
  const other = new OutcomeRows(scratch.folder);
  expect(await other.find("call_1")).toEqual(kept);
  one.close();
  other.close();
});

it("lets the oldest go, and keeps the newest 20,000", async () => {
  using scratch = openScratch();
  const rows = new OutcomeRows(scratch.folder);
  await Promise.all(Array.from({ length: 20_002 }, (_, n) => rows.keep(idOf(n), kept)));
  await rows.sweep();
  expect(await rows.find(idOf(1))).toBeNull();
  expect(await rows.find(idOf(2))).toEqual(kept);
  rows.close();
});

it("lets go of what older versions kept in files", async () => {
  using scratch = openScratch();
  mkdirSync(join(scratch.folder, "outcomes"));
  writeFileSync(join(scratch.folder, "outcomes", "call_1"), "{}");
  const rows = new OutcomeRows(scratch.folder);
  await rows.sweep();
  expect(readdirSync(scratch.folder)).not.toContain("outcomes");
  rows.close();
});

it("has no outcomes of other names", async () => {
  using scratch = openScratch();
  const rows = new OutcomeRows(scratch.folder);
  await rows.keep("../call_1", kept);
  expect(await rows.find("../call_1")).toBeNull();
  expect(readdirSync(scratch.folder)).toEqual([]);
});

it.each([
  ["no database", (path: string) => writeFileSync(path, "no database, and longer than the head of one".repeat(100))],
  ["a folder", (path: string) => mkdirSync(path)],
  ["a link", (path: string) => symlinkSync("/etc/hostname", path)],
])("goes on where it finds %s in its place", async (_, make) => {
  using scratch = openScratch();
  make(join(scratch.folder, "outcomes.db"));
  const rows = new OutcomeRows(scratch.folder);
  await rows.keep("call_1", kept);
  await rows.sweep();
  expect(await rows.find("call_1")).toEqual(kept); // still in memory
  expect(await rows.find("call_2")).toBeNull();
  rows.close();
});
