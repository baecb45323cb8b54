import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { FirstProcess } from "../../src/sandbox/first-process.ts";
import { needs } from "../support/parts.ts";
import { marker, processesWith } from "./left-behind.ts";
import { ran, scripted } from "./real-sandbox.ts";

it("a process is there until it has ended", async () => {
  const child = spawn("sleep", [marker()]);
  const first = new FirstProcess(child.pid ?? 0);
  expect(first.isThere()).toBe(true);
  first.kill();
  await once(child, "exit");
  expect(first.isThere()).toBe(false);
});

it("a process that had gone before it was looked at is not there, and nobody else is sent its signals", async () => {
  const child = spawn("true");
  await once(child, "exit");
  const first = new FirstProcess(child.pid ?? 0);
  first.kill();
  first.signalGroup("SIGKILL");
  expect(first.isThere()).toBe(false);
});

needs("bwrap", "prlimit")("the end of a program", () => {
  const MANY = "for i in $(seq 100); do setsid sleep MARK >/dev/null 2>&1 </dev/null & done";

  it("is told once nothing of it runs any more", async () => {
    for (let run = 0; run < 5; run++) {
      const mark = marker();
      const { end } = await ran(scripted(MANY.replace("MARK", mark)));
      expect([end.kind, processesWith(mark)]).toEqual(["exited", []]);
    }
  });
});
