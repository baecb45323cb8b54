import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { findCgroups } from "../../src/sandbox/find-cgroups.ts";
import { openDescriptors } from "../files/scratch.ts";
import { ownTemporary } from "../support/own-temporary.ts";
import { ran, realSandbox, scripted } from "./real-sandbox.ts";

/** Ends of every kind: well, badly, by a signal, by being stopped, by not being started at all. */
const ENDINGS = ["true", "exit 3", "kill -9 $$", "(setsid sleep 60 &)", "echo out; echo err >&2"];
const AT_ONCE = 4;

/** So many runs, of which nothing is left: no process, no zombie, no folder, no cgroup, no descriptor. */
export async function runMany(count: number, sandbox = realSandbox()): Promise<void> {
  using temporary = ownTemporary();
  const limits = { memoryBytes: 2 ** 30, openFiles: 256, tasks: 16, fileBytes: 2 ** 20 };
  const one = async (number: number): Promise<void> => {
    const script = ENDINGS[number % ENDINGS.length] as string;
    const command = { ...scripted(script), view: "system" as const, mounts: [], limits };
    const argv = number % 17 === 0 ? (["/nosuch"] as const) : command.argv;
    const signal = number % 7 === 0 ? AbortSignal.timeout(number % 50) : new AbortController().signal;
    await ran({ ...command, argv }, sandbox, signal);
  };
  // What is opened once, and kept, is open by now.
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => one(index + 1)));
  const left = () => leftIn(temporary.folder);
  // The cgroup of that one may be there for some milliseconds more.
  const before = { ...left(), cgroups: [] };
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => one(done + index)));
  // A cgroup that was just emptied may be counted as full for some milliseconds more.
  await expect.poll(left).toEqual(before);
}

/** What this process has beside itself. */
const leftIn = (folder: string) => ({
  children: childrenOfThis(),
  descriptors: openDescriptors(),
  folders: readdirSync(folder),
  cgroups: ownCgroups(),
});

/** Zombies too: they are children until somebody asks for their end. */
const childrenOfThis = (): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && parentIn(readFileSync(`/proc/${pid}/stat`, "latin1")) === String(process.pid);
    } catch {
      return false;
    }
  });

const parentIn = (stat: string): string => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "";

function ownCgroups(): readonly string[] {
  const { pids, memory } = findCgroups();
  const own = `toolgate-${process.pid}-`;
  return [pids, memory].flatMap((folder) =>
    folder === null ? [] : readdirSync(folder).filter((name) => name.startsWith(own)),
  );
}
