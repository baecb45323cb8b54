import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/wiring/system-clock.ts";

const CLOCK = fileURLToPath(new URL("../../src/wiring/system-clock.ts", import.meta.url));

describe("the clock of the machine", () => {
  it("tells the time of day, and time that never goes back", () => {
    const [before, now, after] = [Date.now(), systemClock.nowMs(), Date.now()];
    expect(before <= now && now <= after).toBe(true);
    const times = Array.from({ length: 1000 }, () => systemClock.monotonicMs());
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
  });

  it("runs a task once", async () => {
    let ran = 0;
    await new Promise<void>((resolve) => {
      systemClock.after(1, () => {
        ran++;
        resolve();
      });
    });
    expect(ran).toBe(1);
  });

  it("does not run one that was called off", async () => {
    const ran: string[] = [];
    systemClock.after(1, () => ran.push("called off"))();
    await new Promise<void>((resolve) => systemClock.after(5, resolve));
    expect(ran).toEqual([]);
  });

  it("does not keep a process alive that has nothing else to do", async () => {
    const program = `import { systemClock } from ${JSON.stringify(CLOCK)}; systemClock.after(3_600_000, () => {});`;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
