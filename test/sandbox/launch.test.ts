import { expect, it } from "vitest";
import { FirstProcess } from "../../src/sandbox/first-process.ts";
import { Launch } from "../../src/sandbox/launch.ts";
import { lookAround } from "../../src/sandbox/launch-machine.ts";
import { startLauncher } from "../../src/sandbox/launcher.ts";
import { Turns } from "../../src/sandbox/turns.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { scripted } from "./real-sandbox.ts";

needs("bwrap", "prlimit")("a launch", () => {
  it("begins no program where its launcher was killed meanwhile: nobody would end it, or tell how it ended", async () => {
    const machine = lookAround({ searchPath: ["/usr/bin", "/bin"], workspace: "/nowhere" });
    if ("code" in machine) throw new Error(machine.message);
    const command = scripted("echo ran");
    const launcher = await startLauncher(command, machine, { when: "now", turns: new Turns(), isWanted: () => true });
    if (launcher === null) throw new Error("wanted");
    const killed = async (): Promise<boolean> => {
      const bubblewrap = new FirstProcess(launcher.child.pid);
      bubblewrap.kill();
      await expect.poll(() => bubblewrap.isThere()).toBe(false);
      return true;
    };
    const launch = new Launch(
      {
        ...launcher,
        bounds: { ...launcher.bounds, hold: killed },
        ...{ mounts: command.mounts, launchedAs: machine.launchedAs, termGraceMs: 0, input: undefined },
      },
      NEVER,
    );
    expect(Buffer.concat(await Array.fromAsync(launch.output)).toString()).toBe("");
    expect(await launch.ended).toMatchObject({ kind: "refused", fault: { code: "SPAWN_FAILED" } });
  });
});
