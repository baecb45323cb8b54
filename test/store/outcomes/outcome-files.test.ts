import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { KeptOutcome } from "../../../src/ports/outcomes.ts";
import { OutcomeFiles } from "../../../src/store/outcomes/outcome-files.ts";
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

it("keeps an outcome for other processes, where only this user can read it", async () => {
  using scratch = openScratch();
  await new OutcomeFiles(scratch.folder).keep("call_1", kept);
  expect(await new OutcomeFiles(scratch.folder).find("call_1")).toEqual(kept);
  expect(statSync(join(scratch.folder, "outcomes", "call_1")).mode & 0o777).toBe(0o600);
  expect(await new OutcomeFiles(scratch.folder).find("call_2")).toBeNull();
});

it("has no files of other names, and survives what it can't read or write", async () => {
  using scratch = openScratch();
  const files = new OutcomeFiles(scratch.folder);
  await files.keep("../call_1", kept);
  expect(await files.find("../call_1")).toBeNull();
  writeFileSync(join(scratch.folder, "outcomes"), "no folder");
  await files.keep("call_1", kept);
  await files.sweep();
  expect(await files.find("call_1")).toEqual(kept); // still in memory
  expect(readdirSync(scratch.folder)).toEqual(["outcomes"]);
});

it("forgets the oldest in memory, and not on the disk", async () => {
  using scratch = openScratch();
  const files = new OutcomeFiles(scratch.folder);
  const ids = Array.from({ length: 300 }, (_, i) => `call_${i.toString(16).padStart(4, "0")}`);
  await Promise.all(ids.map((id) => files.keep(id, kept)));
  await files.sweep();
  expect(await Promise.all(ids.map((id) => files.find(id)))).toEqual(ids.map(() => kept));
});
