import { expect, it } from "vitest";
import { FirstProcess } from "../../src/sandbox/first-process.ts";
import { Launch } from "../../src/sandbox/launch.ts";
import { lookAround } from "../../src/sandbox/machine.ts";
import { startBubblewrap } from "../../src/sandbox/start-bubblewrap.ts";
import { Turns } from "../../src/sandbox/turns.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { ran, realSandbox, scripted } from "./real-sandbox.ts";

needs("bwrap", "prlimit")("a launch", () => {
  it("begins no program if bubblewrap was killed meanwhile: nobody would end it or report its end", async () => {
    const machine = lookAround({ searchPath: ["/usr/bin", "/bin"], workspace: "/nowhere" });
    if ("code" in machine) throw new Error(machine.message);
    const command = scripted("echo ran");
    const bubblewrap = await startBubblewrap(command, machine, { turns: new Turns(), isWanted: () => true });
    if (bubblewrap === null) throw new Error("wanted");
    const killed = async (): Promise<boolean> => {
      const first = new FirstProcess(bubblewrap.pid);
      first.kill();
      await expect.poll(() => first.isThere()).toBe(false);
      return true;
    };
    const bounds = { ...bubblewrap.bounds, hold: killed };
    const launch = new Launch({ ...bubblewrap, bounds }, command, machine.user.kind, NEVER);
    expect(Buffer.concat(await Array.fromAsync(launch.output)).toString()).toBe("");
    expect(await launch.ended).toMatchObject({ kind: "refused", fault: { code: "SPAWN_FAILED" } });
  });

  it("gives a program exactly its arguments", async () => {
    const words = ["a b", "", "ö", "$(x)", "--", "-x", "x".repeat(100_000)];
    const argv = ["/usr/bin/printf", "<%s>", ...words] as const;
    expect((await ran({ ...scripted(""), argv })).out).toBe(words.map((word) => `<${word}>`).join(""));
  });

  it("gives a program exactly its environment", async () => {
    const argv = ["/usr/bin/env"] as const;
    const { out } = await ran({ ...scripted(""), argv, env: { ONLY: "this" } });
    expect(out.split("\n").toSorted()).toEqual(["", "ONLY=this", "PWD=/"]);
  });

  it("passes on what a program prints, also if it begins with the words of bubblewrap", async () => {
    const words = "bwrap: execvp /x: No such file or directory\n";
    const { chunks, ended } = realSandbox().start(scripted(`printf '${words}' >&2; echo out; exit 3`), NEVER);
    const heard = { stdout: "", stderr: "" };
    for await (const { from, bytes } of chunks) heard[from] += Buffer.from(bytes).toString();
    expect([heard, await ended]).toMatchObject([
      { stdout: "out\n", stderr: words },
      { kind: "exited", exitCode: 3 },
    ]);
  });

  it("looks for no program by its name", async () =>
    expect((await ran({ ...scripted(""), argv: ["true"] })).end).toMatchObject({
      kind: "refused",
      fault: { code: "SPAWN_FAILED" },
    }));
});
