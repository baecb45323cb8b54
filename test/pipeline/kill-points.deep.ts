import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { testProgram } from "../support/test-program.ts";
import { type Mode, openVictim, restartAndCheck } from "./history.ts";
import { KILL_POINTS, killAt } from "./kill-at-borders.ts";

const SEEDS = 50;

describe("killed at a border, started anew (F01)", () => {
  it.concurrent.each(KILL_POINTS)(`%s, %s, ${SEEDS} times`, async (mode, border) => {
    for (let seed = 0; seed < SEEDS; seed++) await killAt(mode, border, seed);
  });
});

describe("killed at any time, under twenty callers (F02)", () => {
  const STATES = 50;
  const KILLS_PER_STATE = 10;
  const AT_ONCE = 4;

  it(`${STATES * KILLS_PER_STATE} times`, async () => {
    const total: Record<string, number> = {};
    let drafts = 0;
    const states = Array.from({ length: STATES }, (_, state) => state).values();
    const killAll = async () => {
      for (const state of states) {
        const summary = await killRepeatedly(state % 2 === 0 ? "allowed" : "asked");
        for (const [name, count] of Object.entries(summary.states)) total[name] = (total[name] ?? 0) + count;
        drafts += summary.drafts;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, killAll));
    process.stdout.write(`F02: ${JSON.stringify({ total, drafts })}\n`);
    // Drafts are left by writers that were killed between making and publishing one. Nobody can tell them from a living
    // writer's, so nobody removes them; the target itself is old or new, never half.
    // No unknown at all would mean that the kills never met a call in flight.
    expect(total["unknown"]).toBeGreaterThan(0);
  });

  async function killRepeatedly(mode: Mode) {
    using victim = openVictim(mode);
    for (let kill = 0; kill < KILLS_PER_STATE; kill++) await killSometime(victim.folder, kill * 1_000_000);
    return await restartAndCheck(victim.folder);
  }

  async function killSometime(folder: string, seed: number): Promise<void> {
    const program = testProgram("calls-forever.ts");
    const child = spawn(process.execPath, [program, folder, String(seed)], { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(child, "exit");
    await once(child.stdout, "data");
    await setTimeout(1 + Math.random() * 199); // any moment will do: nothing is asserted about time
    child.kill("SIGKILL");
    await exit;
  }
});
