import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
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

it("has no outcomes of other names", async () => {
  using scratch = openScratch();
  const rows = new OutcomeRows(scratch.folder);
  await rows.keep("../call_1", kept);
  expect(await rows.find("../call_1")).toBeNull();
  expect(readdirSync(scratch.folder)).toEqual([]);
});

it.each([
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

it("begins anew where the file is broken, and leaves what there was beside it", async () => {
  using scratch = openScratch();
  const path = join(scratch.folder, "outcomes.db");
  writeFileSync(path, "no database, and longer than the head of one".repeat(100));
  const rows = new OutcomeRows(scratch.folder);
  expect(await rows.find("call_2")).toBeNull();
  await rows.keep("call_1", kept);
  const other = new OutcomeRows(scratch.folder);
  expect(await other.find("call_1")).toEqual(kept);
  expect(readFileSync(`${path}.broken`, "utf8")).toContain("no database");
  rows.close();
  other.close();
});

it("begins anew where the file breaks while it is open", async () => {
  using scratch = openScratch();
  const path = join(scratch.folder, "outcomes.db");
  const rows = new OutcomeRows(scratch.folder);
  for (let n = 0; n < 4; n++) await rows.keep(idOf(n), { ...kept, params: { long: "x".repeat(9000) } });
  rows.close();
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 255)]));
  const again = new OutcomeRows(scratch.folder);
  await again.keep("call_a", kept);
  const other = new OutcomeRows(scratch.folder);
  expect(await other.find("call_a")).toEqual(kept);
  again.close();
  other.close();
});

describe("while somebody else writes", () => {
  function locked(folder: string) {
    const db = new DatabaseSync(join(folder, "outcomes.db"));
    db.exec("BEGIN IMMEDIATE");
    return { free: () => db.exec("ROLLBACK"), [Symbol.dispose]: () => db.close() };
  }

  it("waits, and keeps what ended meanwhile", async () => {
    using scratch = openScratch();
    const first = new OutcomeRows(scratch.folder);
    await first.keep("call_1", kept);
    using lock = locked(scratch.folder);
    let times = 0;
    const later = async () => {
      if (++times === 30) lock.free();
      await turn();
    };
    const rows = new OutcomeRows(scratch.folder, { later });
    await Promise.all([rows.keep("call_2", kept), rows.keep("call_3", kept)]);
    expect(times).toBe(30);
    const other = new OutcomeRows(scratch.folder);
    expect([await other.find("call_2"), await other.find("call_3")]).toEqual([kept, kept]);
    first.close();
    rows.close();
    other.close();
  });

  it("gives up one day, and goes on", async () => {
    using scratch = openScratch();
    const rows = new OutcomeRows(scratch.folder, { later: () => turn() });
    await rows.keep("call_1", kept);
    using _lock = locked(scratch.folder);
    await rows.keep("call_2", kept);
    expect(await rows.find("call_2")).toEqual(kept);
    rows.close();
    await rows.keep("call_3", kept);
    expect(await rows.find("call_1")).toEqual(kept);
  });
});

it("keeps those of processes that begin at the same time", async () => {
  using scratch = openScratch();
  const all = Array.from({ length: 8 }, () => new OutcomeRows(scratch.folder));
  await Promise.all(all.map((rows, n) => rows.keep(idOf(n), kept)));
  for (const rows of all) rows.close();
  const reading = new OutcomeRows(scratch.folder);
  for (let n = 0; n < all.length; n++) expect(await reading.find(idOf(n))).toEqual(kept);
  reading.close();
});
