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
