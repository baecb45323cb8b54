import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed, RUN_ALL } from "../../support/running-gate.ts";
import { codeOf } from "../../support/scratch-gate.ts";

const TRACING = { config: { sandbox: { tracing: "allow" } } };

const SCRIPT =
  "gdb -batch -ex starti -ex 'info inferiors' /bin/true | grep 'process [0-9]' && echo a process is traced";

needs(
  "bwrap",
  "prlimit",
  "gdb",
  "strace",
)("debuggers in the sandbox", () => {
  it.each([
    ["strace -e trace=exit_group true 2>&1", "exited with 0"],
    ["sh debug.sh 2>&1", "a process is traced"],
  ])("trace their own program only if the configuration allows it: %s", async (command, expected) => {
    await using denied = openRunningGate();
    denied.put("debug.sh", SCRIPT);
    expect(printed(await denied.run(command))).not.toContain(expected);
    await using allowed = openRunningGate(RUN_ALL, TRACING);
    allowed.put("debug.sh", SCRIPT);
    expect(printed(await allowed.run(command))).toContain(expected);
  });

  it("reach no process outside of it", async () => {
    await using scratch = openRunningGate(RUN_ALL, TRACING);
    expect(codeOf(await scratch.run(`strace -p ${process.pid}`))).toBe("TOOL_FAILED");
  });
});
