import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { isMadeHere, markIfNew, markMadeHere } from "../../../src/store/sqlite/made-here.ts";
import { openScratch } from "../state-dir.ts";

const MARKS = 500;

/** Another process that makes the same journal at the same time, again and again. */
const other = (stateDir: string) =>
  new Worker(
    `const { markIfNew } = require(${JSON.stringify(new URL("../../../src/store/sqlite/made-here.ts", import.meta.url).pathname)});
     for (let n = 0; n < ${MARKS}; n++) markIfNew(${JSON.stringify(stateDir)});`,
    { eval: true },
  );

/** A state directory with a journal of this content. */
function openMade(journal: string) {
  const scratch = openScratch();
  mkdirSync(scratch.stateDir, { mode: 0o700 });
  writeFileSync(join(scratch.stateDir, "journal.db"), journal, { mode: 0o600 });
  return scratch;
}

describe("a journal that is made here", () => {
  it("is so to each of those who make it at the same time, at every moment", async () => {
    using scratch = openMade("");
    markIfNew(scratch.stateDir);
    const worker = other(scratch.stateDir);
    let isOver = false;
    const ended = once(worker, "exit").then(() => {
      isOver = true;
    });
    let [looks, missed] = [0, 0];
    while (!isOver) {
      for (let n = 0; n < 100; n++) if (!isMadeHere(scratch.stateDir)) missed++;
      looks += 100;
      await new Promise(setImmediate);
    }
    await ended;
    expect(looks).toBeGreaterThan(100);
    expect(missed).toBe(0);
  });

  it("is not by a mark of another file, and is by its own behind a longer one", () => {
    using scratch = openMade("x");
    writeFileSync(join(scratch.stateDir, "made-here"), "1".repeat(100), { mode: 0o600 });
    markIfNew(scratch.stateDir);
    expect(isMadeHere(scratch.stateDir)).toBe(false);
    markMadeHere(scratch.stateDir);
    expect(isMadeHere(scratch.stateDir)).toBe(true);
  });
});
