import { join } from "node:path";
import { expect, it } from "vitest";
import { openTrees } from "../../../src/files/open-trees.ts";
import type { Trees } from "../../../src/ports/trees.ts";
import { ProgramRecordFiles } from "../../../src/store/programs/program-records.ts";
import { RunningPrograms } from "../../../src/tools/sandboxed/running-programs.ts";
import { Survey } from "../../../src/tools/sandboxed/survey.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { openScratch } from "../../files/scratch.ts";
import { SOME_PROGRAM } from "./running-ports.ts";

const COUNT = 5000;

it("lets others get their turn while it takes away thousands of things", async () => {
  using scratch = openScratch();
  const { workspace } = scratch;
  let names: readonly string[] = [];
  const list: Trees["list"] = () => ({ stamp: null, content: names.map((name) => ({ name, kind: "file" })) });
  const trees: Trees = { ...openTrees(), list, stamp: () => null };
  let [taken, takenAtOnce, most] = [0, 0, 0];
  const take = (path: string) => {
    taken += 1;
    most = Math.max(most, ++takenAtOnce);
    if (taken === COUNT) names = [];
    return { kind: "moved", to: `/held-back${path}` } as const;
  };
  const turn = () => {
    takenAtOnce = 0;
    if (taken < COUNT) setImmediate(turn);
  };
  const programs = new RunningPrograms({
    ...{ workspace, trees, clock: systemClock, survey: new Survey(trees), quarantine: { take } },
    records: new ProgramRecordFiles(join(workspace, "../state"), "owner"),
    note: async () => {},
    alarm: () => {},
  });
  const program = await programs.begin(
    SOME_PROGRAM,
    [{ root: workspace, hide: [], readOnly: ["./.env.*"] }],
    [workspace],
  );
  names = Array.from({ length: COUNT }, (_, n) => `.env.${n}`);
  turn();
  if (typeof program === "string") throw new Error(program);
  expect((await program.end()).length).toBe(1000); // as many as a report names
  expect([taken, most <= 100]).toEqual([COUNT, true]);
});
