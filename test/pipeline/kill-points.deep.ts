import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Mode, openVictim, restartAndCheck } from "./history.ts";
import { KILL_POINTS, killAt } from "./kill-at-borders.ts";

const SEEDS = 50;
const PROGRAM = fileURLToPath(new URL("../programs/calls-forever.ts", import.meta.url));

describe("killed at a border, started anew (F01)", () => {
  it.concurrent.each(KILL_POINTS)(`%s, %s, ${SEEDS} times`, async (mode, border) => {
    for (let seed = 0; seed < SEEDS; seed++) expect((await killAt(mode, border, seed)).drafts).toBe(0);
  });
});

describe("killed at any time, under twenty callers (F02)", () => {
  const STATES = 50;
  const KILLS_PER_STATE = 10;

  it(`${STATES * KILLS_PER_STATE} times`, async () => {
    const total: Record<string, number> = {};
    let drafts = 0;
    for (let state = 0; state < STATES; state++) {
      const mode: Mode = state % 2 === 0 ? "allowed" : "asked";
      using victim = openVictim(mode);
      for (let kill = 0; kill < KILLS_PER_STATE; kill++) await killSometime(victim.folder, kill * 1_000_000);
      const summary = await restartAndCheck(victim.folder);
      for (const [name, count] of Object.entries(summary.states)) total[name] = (total[name] ?? 0) + count;
      drafts += summary.drafts;
    }
    process.stdout.write(`F02: ${JSON.stringify({ total, drafts })}\n`);
    // Or the kills never met a call in flight.
    expect(total["unknown"]).toBeGreaterThan(0);
    // A writer that is killed between making its draft and publishing it leaves the draft: nobody may take a file of
    // this name for rubbish but its writer, who is dead. The target itself is old or new, never half.
    expect(drafts).toBeGreaterThanOrEqual(0);
  });

  async function killSometime(folder: string, seed: number): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, folder, String(seed)], { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(child, "exit");
    await once(child.stdout, "data");
    await setTimeout(1 + Math.random() * 199); // any moment will do: nothing is asserted about time
    child.kill("SIGKILL");
    await exit;
  }
});
