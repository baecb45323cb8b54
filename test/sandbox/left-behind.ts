import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { openDescriptors } from "../files/scratch.ts";
import { NEVER } from "../support/sample-calls.ts";
import { ran, realSandbox, scripted } from "./real-sandbox.ts";

/** Processes whose command line holds the text. */
export const processesWith = (text: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(text);
    } catch {
      return false; // gone meanwhile
    }
  });

/** Long enough to outlast the test, and in no other command line. */
export const marker = () => `1${Math.floor(Math.random() * 1e9)}.${process.pid}`;

export async function untilGone(text: string): Promise<void> {
  while (processesWith(text).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The moments lie within the time that a sandbox takes to be set up, and somewhat behind it. */
export async function stopAtManyMoments(count: number): Promise<void> {
  const sleep = marker();
  const sandbox = realSandbox();
  const wanted = scripted(`setsid sleep ${sleep} & sleep ${sleep}`);
  await ran({ ...wanted, argv: ["/bin/true"] }, sandbox); // what is opened once is open by now
  const before = openDescriptors();
  for (let i = 0; i < count; i++) {
    const program = sandbox.start(wanted, NEVER);
    await new Promise((resolve) => setTimeout(resolve, (i % 40) / 2));
    program.stop();
    expect([await program.ended, processesWith(sleep)]).toEqual([{ kind: "stopped" }, []]);
  }
  expect(openDescriptors()).toBe(before);
}
