import { expect, it } from "vitest";
import { boundsFor } from "../../src/sandbox/bounds.ts";
import { residentSpawner } from "../../src/sandbox/spawner.ts";

const MACHINE = { cgroups: { pids: null, memory: null }, prlimit: "/nowhere/prlimit" };

it("don't hold where whoever should set them has been killed", async () => {
  const spawner = await residentSpawner();
  if (spawner === null) return;
  const bounds = boundsFor({ tasks: 5, memoryBytes: 2 ** 29, openFiles: 256 }, MACHINE, "test", spawner);
  process.kill(spawner.pid, "SIGKILL");
  expect(await bounds.hold(spawner.pid)).toBe(false);
  await expect.poll(() => spawner.isGone).toBe(true);
  expect(await bounds.hold(spawner.pid)).toBe(false);
});
