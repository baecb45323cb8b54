import { expect, it } from "vitest";
import type { SandboxedProgram } from "../../src/ports/sandbox.ts";
import { notStarted } from "../../src/sandbox/bubblewrap.ts";
import { laterProgram } from "../../src/sandbox/later-program.ts";
import { NEVER } from "../support/sample-calls.ts";

it("stops a program that it was told to stop while that was being started", async () => {
  const { promise, resolve } = Promise.withResolvers<SandboxedProgram>();
  let stops = 0;
  const program = laterProgram(() => promise, NEVER);
  resolve({ ...notStarted({ kind: "lost" }), stop: () => stops++ });
  program.stop();
  expect([await program.ended, stops]).toEqual([{ kind: "lost" }, 1]);
});

it("ends also where none could be started, and says why to whoever reads", async () => {
  const program = laterProgram(() => Promise.reject(new Error("ours")), NEVER);
  expect(await program.ended).toMatchObject({ kind: "refused", fault: { code: "SPAWN_FAILED" } });
  await expect(Array.fromAsync(program.chunks)).rejects.toThrow("ours");
});

it("hears what it is told in the order in which that was said, also what is said the moment that it is there", async () => {
  const { promise, resolve } = Promise.withResolvers<SandboxedProgram>();
  const heard: string[] = [];
  const input = { write: async (text: string) => void heard.push(text), end: () => void heard.push("end") };
  const program = laterProgram(() => promise, NEVER, true);
  const before = [program.input?.write("1"), program.input?.write("2")];
  resolve({ ...notStarted({ kind: "lost" }), input });
  // One turn of the queue after the other, until the program is there and what was said before is handed on.
  for (let said = 3; heard.length < 6; said++) {
    void program.input?.write(String(said));
    await Promise.resolve();
  }
  await Promise.all(before);
  await program.input?.write("last");
  program.input?.end();
  expect(heard.slice(0, -2)).toEqual(heard.slice(0, -2).map((_, index) => String(index + 1)));
  expect(heard.slice(-2)).toEqual(["last", "end"]);
});
