import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import type { Border } from "../../src/ports/probe.ts";
import { testProgram } from "../support/test-program.ts";
import { type Mode, openVictim, restartAndCheck, type Summary } from "./history.ts";

const TO_JUDGED = ["received", "resolved", "validated", "planned", "judged"] as const satisfies readonly Border[];
const FROM_APPROVED = ["approved", "started", "ran", "finished", "recorded"] as const satisfies readonly Border[];

/** Which borders a call comes to. */
const BORDERS = {
  allowed: [...TO_JUDGED, ...FROM_APPROVED],
  asked: [...TO_JUDGED, "asked", "answered", ...FROM_APPROVED],
  refused: TO_JUDGED,
} as const satisfies Record<Mode, readonly Border[]>;

export const KILL_POINTS = Object.entries(BORDERS).flatMap(([mode, borders]) =>
  borders.map((border) => [mode as Mode, border] as const),
);

/** F01: the process kills itself at a border of one of its calls; then somebody starts anew and looks. */
export async function killAt(mode: Mode, border: Border, seed: number): Promise<Summary> {
  using victim = openVictim(mode);
  const child = spawn(process.execPath, [testProgram("dies-at.ts"), victim.folder, mode, border, String(seed)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code, signal] = await once(child, "exit");
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
  return await restartAndCheck(victim.folder);
}
