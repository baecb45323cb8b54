import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import type { LedgerVerdict } from "../../../src/wiring/ledger.ts";
import { needs } from "../../support/parts.ts";
import { openCountingSetUp } from "./calling-program.ts";

/** A gate whose state directory is on a disk of 8 MB. */
function openSmallDisk() {
  const setUp = openCountingSetUp("disk/state");
  const disk = join(setUp.folder, "disk");
  mkdirSync(disk);
  const wrapper = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--size", String(8 << 20), "--tmpfs", disk];
  return { ...setUp, ballast: join(disk, "ballast"), program: () => setUp.start(wrapper) };
}

needs("bwrap")("F05: while the disk is full", () => {
  it("nothing runs, and it goes on by itself when there is room (A62)", async () => {
    using disk = openSmallDisk();
    await using gate = disk.program();
    expect(await gate.call()).toBe("completed");
    await gate.ask({ fill: disk.ballast });
    for (let n = 0; n < 3; n++) expect(await gate.call()).toBe("LEDGER_UNAVAILABLE");
    expect(disk.runs()).toBe(1);
    await gate.ask({ free: disk.ballast });
    expect(await gate.call()).toBe("completed");
    expect(disk.runs()).toBe(2);
    expect(await gate.ask<LedgerVerdict>({ verify: true })).toMatchObject({ ok: true, entries: 7 });
    await gate.ended();
  });

  it("a journal that is not there yet is made when there is room", async () => {
    using disk = openSmallDisk();
    await using gate = disk.program();
    await gate.ask({ fill: disk.ballast });
    expect(await gate.call()).toBe("LEDGER_UNAVAILABLE");
    expect(disk.runs()).toBe(0);
    await gate.ask({ free: disk.ballast });
    expect(await gate.call()).toBe("completed");
    expect(await gate.ask<LedgerVerdict>({ verify: true })).toMatchObject({ ok: true, entries: 4 });
    await gate.ended();
  });

  it("a call that was started before ends `unknown`, and so it stands in the ledger", async () => {
    using disk = openSmallDisk();
    await using gate = disk.program();
    expect(await gate.call()).toBe("completed");
    const started = await gate.ask<Outcome>({ call: { fill: disk.ballast } });
    expect(started).toMatchObject({ kind: "unknown", error: { code: "OUTCOME_UNKNOWN" } });
    expect(await gate.call()).toBe("LEDGER_UNAVAILABLE");
    expect(disk.runs()).toBe(2);
    await gate.ask({ free: disk.ballast });
    expect(await gate.call()).toBe("completed");
    expect((await gate.ask<Record<string, string>>({ states: true }))[started.callId]).toBe("unknown");
    expect(await gate.ask<LedgerVerdict>({ verify: true })).toMatchObject({ ok: true, entries: 10 });
    await gate.ended();
  });

  it("a checkpoint is not made, and is made later", async () => {
    using disk = openSmallDisk();
    await using gate = disk.program();
    expect(await gate.call()).toBe("completed");
    await gate.ask({ fill: disk.ballast });
    expect(await gate.ask({ checkpoint: true })).toHaveProperty("error");
    await gate.ask({ free: disk.ballast });
    expect(await gate.ask({ checkpoint: true })).toMatchObject({ size: 4 });
    expect(await gate.call()).toBe("completed");
    expect(await gate.ask<LedgerVerdict>({ verify: true })).toMatchObject({ ok: true, entries: 7 });
    await gate.ended();
  });
});
