import { join } from "node:path";
import { expect, it } from "vitest";
import type { SandboxEnd } from "../../src/ports/sandbox.ts";
import { openScratch } from "../files/scratch.ts";
import { isRoot, ranAs, ranBehind } from "../support/as-somebody.ts";
import { needs } from "../support/parts.ts";

interface Told {
  readonly end: SandboxEnd;
  readonly isRun: boolean;
}

needs(
  "bwrap",
  "prlimit",
  "setpriv",
)("where the machine has no more of it", () => {
  // Of root's processes nobody counts.
  it.skipIf(process.getuid === undefined)("no process is started, and that can be tried again (F07)", async () => {
    const as = isRoot ? "an ordinary user" : "this user";
    const [before, after] = await ranAs<readonly Told[]>(as, "starts-in-want.ts", "processes");
    expect(before).toMatchObject({ end: { kind: "exited", exitCode: 0 }, isRun: true });
    expect(after).toMatchObject({ end: { kind: "refused", fault: { code: "SPAWN_FAILED" } }, isRun: false });
  });

  it("descriptors, nothing is started by half, and it goes on when there are again (F06)", async () => {
    const told = await ranBehind<readonly Told[]>(["prlimit", "--nofile=256"], "starts-in-want.ts", "descriptors");
    for (const { end, isRun } of told.filter((one) => one.end.kind !== "exited"))
      expect([isRun, end]).toMatchObject([false, { kind: "refused", fault: { code: "SPAWN_FAILED" } }]);
    expect(told[1]?.end.kind).toBe("refused");
    expect(told.at(-1)).toMatchObject({ end: { kind: "exited", exitCode: 0 }, isRun: true });
  });

  it("temporary files, that is said, and it goes on when there are again", async () => {
    using scratch = openScratch();
    const fault = { code: "SANDBOX_UNAVAILABLE", message: expect.stringContaining("ENOENT") };
    expect(await ranBehind([], "starts-without-room.ts", join(scratch.workspace, "missing"))).toMatchObject({
      without: [fault, { kind: "refused", fault }],
      after: [null, { kind: "exited", exitCode: 0 }],
    });
  });
});
