import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { CALLS, CallList } from "../../src/sandbox/call-list.ts";
import { residentSpawner, type Spawner } from "../../src/sandbox/spawner.ts";
import { CHANNEL, FIRST_FREE, spawnerFor } from "../../src/sandbox/spawner-program.ts";
import { needs } from "../support/parts.ts";
import { startProgram } from "../support/started-program.ts";
import { marker, processesWith, untilGone } from "./left-behind.ts";
import { ran, realSandbox, scripted } from "./real-sandbox.ts";

const isHere = process.arch === "x64" && process.platform === "linux";
const CLOSE_ON_EXEC = 0o2000000;
const EBADF = 9;

async function theSpawner(): Promise<Spawner> {
  const spawner = await residentSpawner();
  if (spawner === null) throw new Error("this machine has one");
  return spawner;
}

const descriptorsOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map(Number)
    .sort((one, other) => one - other);

it("is there for processors that it was written for", () => {
  expect(spawnerFor("x64")?.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
  expect(spawnerFor("arm64")).toBeNull();
});

it.runIf(isHere)("has nothing of this process but its channel", async () => {
  const { pid } = await theSpawner();
  expect(descriptorsOf(pid)).toEqual(Array.from({ length: FIRST_FREE }, (_, fd) => fd));
  for (const fd of descriptorsOf(pid))
    expect(readlinkSync(`/proc/${pid}/fd/${fd}`)).toMatch(fd === CHANNEL ? /^socket:/ : "/dev/null");
  expect(readFileSync(`/proc/${pid}/environ`, "latin1")).toBe("");
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
});

it.runIf(isHere)("does what it is told, step by step, and says what came of it", async () => {
  const spawner = await theSpawner();
  const list = new CallList();
  const [pipe, wrote] = [list.slot(), list.slot()];
  list.step(CALLS.pipe2, pipe.at, [CLOSE_ON_EXEC]);
  list.step(CALLS.write, { at: pipe.at + 4 }, [list.text("four"), 4], { result: wrote.at });
  list.step(CALLS.close, pipe);
  list.step(CALLS.close, { at: pipe.at + 4 });
  list.answer();
  const answer = await spawner.ask(list);
  expect([answer.errno, answer.halves(wrote.index)[0]]).toEqual([0, 4]);
  expect(answer.halves(pipe.index)).toEqual([FIRST_FREE, FIRST_FREE + 1]);
  expect(descriptorsOf(spawner.pid)).toHaveLength(FIRST_FREE);
});

it.runIf(isHere)("tells the first failure, and goes where it was told to go then", async () => {
  const spawner = await theSpawner();
  const list = new CallList();
  const [skipped, reached] = [list.slot(), list.slot()];
  const below = { step: null };
  list.step(CALLS.close, 5000, [], { below });
  list.step(CALLS.setpgid, 0, [0], { result: skipped.at });
  list.place(below);
  list.step(CALLS.dup2, 6000, [2 ** 30], { result: reached.at });
  list.answer();
  const answer = await spawner.ask(list);
  expect(answer.errno).toBe(EBADF);
  expect([answer.halves(skipped.index)[0], -answer.halves(reached.index)[0]]).toEqual([-1, EBADF]);
});

it.runIf(isHere)("answers many at once, each with its own", async () => {
  const spawner = await theSpawner();
  const lengths = Array.from({ length: 200 }, (_, index) => index * 100);
  const answers = lengths.map(async (length) => {
    const list = new CallList();
    const [file, wrote] = [list.slot(), list.slot()];
    list.step(CALLS.memfdCreate, list.text("x"), [0], { result: file.at });
    list.step(CALLS.write, file, [list.put(new Uint8Array(length)), length], { result: wrote.at });
    list.step(CALLS.close, file);
    list.answer();
    return (await spawner.ask(list)).halves(wrote.index)[0];
  });
  expect(await Promise.all(answers)).toEqual(lengths);
  expect(descriptorsOf(spawner.pid)).toHaveLength(FIRST_FREE);
});

it.runIf(isHere)("answers also when somebody has stopped it", async () => {
  const spawner = await theSpawner();
  process.kill(spawner.pid, "SIGSTOP");
  const list = new CallList();
  list.answer();
  expect((await spawner.ask(list)).errno).toBe(0);
});

needs("bwrap", "prlimit")("what the spawner has started", () => {
  it.runIf(isHere)("is lost when somebody kills it, and the next program has another", async () => {
    const sleep = marker();
    const { pid } = await theSpawner();
    const sandbox = realSandbox();
    const running = sandbox.start(scripted(`echo running; sleep ${sleep}`), new AbortController().signal);
    for await (const _ of running.output) process.kill(pid, "SIGKILL");
    expect(await running.ended).toEqual({ kind: "lost" });
    await untilGone(sleep);
    expect(await ran(scripted("echo again"), sandbox)).toMatchObject({ end: { exitCode: 0 }, out: "again\n" });
    expect((await theSpawner()).pid).not.toBe(pid);
  });

  it.runIf(isHere)("leaves it no descriptor, whatever came of it", async () => {
    const { pid } = await theSpawner();
    await ran({ ...scripted("cat"), stdin: "text" });
    await ran({ ...scripted(""), argv: ["/nosuch"] });
    await ran({ ...scripted(""), argv: ["/bin/true", "x".repeat(200_000)] });
    await expect.poll(() => descriptorsOf(pid)).toHaveLength(FIRST_FREE);
  });

  it.runIf(isHere)("goes with it when the gate is killed", async () => {
    const sleep = marker();
    const program = startProgram("sandboxes-forever.ts", [sleep]);
    expect(await program.line()).toBe("running");
    const gates = processesWith(sleep);
    const spawners = processesWith("toolgate-spawner").filter((pid) => gates.includes(parentOf(pid)));
    expect(spawners).toHaveLength(1);
    await program.kill();
    await untilGone(sleep);
    const left = () => processesWith("toolgate-spawner").filter((pid) => spawners.includes(pid));
    await expect.poll(left).toEqual([]);
  });
});

/** Those of others come and go. */
const parentOf = (pid: string): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "";
  } catch {
    return "";
  }
};
