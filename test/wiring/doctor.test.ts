import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../src/config/environment.ts";
import { examine } from "../../src/wiring/doctor.ts";
import { needs } from "../support/parts.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

const environment = readEnvironment();

async function examined(sandbox: object, searchPath = environment.searchPath) {
  await using scratch = openScratchGate({ config: { sandbox } as never });
  return await examine(scratch.config, { ...environment, searchPath });
}

describe("a machine without one", () => {
  it("does not have what is wanted, and says what to do", async () => {
    expect(await examined({ minimum: "namespaces" }, [])).toMatchObject({
      isMet: false,
      canaries: [],
      fault: { code: "SANDBOX_UNAVAILABLE", hint: expect.stringContaining("install") },
    });
  });

  it.each([
    [[], true],
    [["run_command"], false],
  ] as const)("where nothing is wanted but of %j, that is met: %s; each gap has its line", async (contained, isMet) => {
    const sandbox = contained.length === 0 ? { minimum: "none" } : { minimum: "none", contained };
    const found = await examined(sandbox, []);
    expect([found.isMet, found.report.backend, found.containedTools]).toEqual([isMet, "none", [...contained]]);
    const gaps = found.canaries.filter(({ held }) => !held);
    expect(gaps.length).toBeGreaterThan(3);
    for (const { fix } of gaps) expect(fix).not.toBe("");
  });
});

needs("bwrap", "prlimit")("a machine with a sandbox", () => {
  it.each(["namespaces", "groups"] as const)("says in words what no cgroup bounds; minimum %s", async (minimum) => {
    const { report, weaker, canaries, isMet } = await examined({ minimum });
    const hasGroups = report.memory === "cgroup" && report.tasks === "cgroup";
    expect(weaker.length === 0).toBe(hasGroups);
    expect(canaries.filter(({ held }) => !held)).toEqual([]);
    expect(isMet).toBe(minimum === "namespaces" || hasGroups);
  });
});
