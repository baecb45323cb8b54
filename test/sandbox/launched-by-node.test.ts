import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { marker, processesWith, untilGone } from "./left-behind.ts";
import { runMany } from "./many-runs.ts";
import { ran, sandboxByNode, scripted } from "./real-sandbox.ts";

needs("bwrap", "prlimit")("programs where there is no spawner", () => {
  it.each([0, 3])("end with their own exit code: %i", async (code) =>
    expect(await ran(scripted(`echo out; echo err >&2; exit ${code}`), sandboxByNode())).toEqual({
      end: { kind: "exited", exitCode: code, errorText: "err\n" },
      out: "out\n",
    }),
  );

  it.each(["short", "long".repeat(5000)])("read what they are given", async (stdin) =>
    expect((await ran({ ...scripted("cat"), stdin }, sandboxByNode())).out).toBe(stdin),
  );

  it("have their limits, and nobody's environment", async () => {
    const limits = { memoryBytes: 2 ** 29, openFiles: 99, tasks: 8, fileBytes: 2 ** 20 };
    const { out } = await ran(
      { ...scripted("ulimit -n -c; ls /proc/self/fd; env", []), view: "system", mounts: [], limits },
      sandboxByNode(),
    );
    expect(out).toMatch(/\(-n\) 99\n.*-c\) 0\n0\n1\n2\n3\n/);
    expect(out).not.toContain("VITEST");
  });

  it("that are not there were never started", async () =>
    expect((await ran({ ...scripted(""), argv: ["/nosuch"] }, sandboxByNode())).end).toMatchObject({
      kind: "refused",
      fault: { code: "SPAWN_FAILED" },
    }));

  it("are lost when somebody kills the sandbox", async () => {
    const sleep = marker();
    const { output, ended } = sandboxByNode().start(scripted(`echo running; sleep ${sleep}`), NEVER);
    for await (const _ of output)
      for (const pid of processesWith(sleep).filter((one) => parentOf(one) === process.pid))
        process.kill(Number(pid), "SIGKILL");
    expect(await ended).toEqual({ kind: "lost" });
    await untilGone(sleep);
  });

  it("leave nothing behind, also in sandboxes set up ahead", async () => {
    await runMany(24, sandboxByNode());
    await runMany(24, sandboxByNode(true));
  });
});

const parentOf = (pid: string): number =>
  Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
