import { expect, it } from "vitest";
import { boundsFor } from "../../src/sandbox/bounds.ts";

const MACHINE = { cgroups: { pids: null, memory: null }, prlimit: "/nowhere/prlimit" };
const LIMITS = { tasks: 5, memoryBytes: 2 ** 29, openFiles: 256 };

it("do not hold if the program that sets them can't be started", async () =>
  expect(await boundsFor(LIMITS, MACHINE, "test").hold(process.pid)).toBe(false));

it("leave the memory to a limit of each process if there is no cgroup", () =>
  expect(boundsFor(LIMITS, MACHINE, "test").memory).toBe("of each process"));
