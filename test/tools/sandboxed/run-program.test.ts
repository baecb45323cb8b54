import { expect, it } from "vitest";
import type { ApprovedCall } from "../../../src/domain/call.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Truncation } from "../../../src/domain/outcome.ts";
import { NO_GRANT } from "../../../src/domain/plan.ts";
import type { RunResult } from "../../../src/domain/tool.ts";
import { COMMAND_LIMITS, type ProgramPorts, runProgram } from "../../../src/tools/sandboxed/run-program.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";
import { made } from "../../redact/samples.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { redaction } from "../../support/redaction.ts";
import { runningPorts } from "./running-ports.ts";

const LONG = "seq 1 40000";
const LAST = "\n40000\n";

interface Running {
  readonly ports?: Partial<ProgramPorts>;
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
  /** Told of all that was printed so far. */
  readonly onText?: (text: string) => void;
}

async function ran(scratch: Scratch, script: string, { ports, outputBytes, signal, onText }: Running) {
  const own = { ...runningPorts(scratch.files, { resolve: async () => null } as never), ...ports };
  const plan = { workspace: scratch.workspace, touches: [], operands: [], sandbox: { report: own.sandbox.report() } };
  const call = { project: "default", session: { id: "s" }, plan, seal: { grant: NO_GRANT } } as unknown as ApprovedCall;
  const argv = ["/bin/bash", "-c", script] as const;
  const limits = { ...COMMAND_LIMITS, ...(outputBytes !== undefined && { outputBytes }) };
  const running = runProgram(call, { argv, cwd: "/tmp", env: {}, limits }, own, signal ?? new AbortController().signal);
  let text = "";
  for (;;) {
    const next = await running.next();
    if (next.done) return next.value;
    text += next.value.message;
    onText?.(text);
  }
}

const cutOf = (result: RunResult): Truncation | undefined => ("truncated" in result ? result.truncated : undefined);

needs("bwrap", "prlimit")("a program that is ended while it prints much", () => {
  const secret = `password=${made(20)}`;

  it("by the limit of its output: all that it had printed is kept, without secrets", async () => {
    using scratch = openScratch();
    const { blobs, redactor } = redaction();
    const result = await ran(scratch, `echo ${secret}; exec yes`, { ports: { blobs, redactor }, outputBytes: 300_000 });
    expect(result).toMatchObject({ kind: "failed", error: { code: "LIMIT_OUTPUT" } });
    const { bytes, blob } = cutOf(result) ?? {};
    const whole = String(blobs.kept.get(blob ?? ""));
    expect([whole.length, whole.includes(secret), whole.includes("[REDACTED:")]).toEqual([bytes, false, true]);
    expect(whole.length).toBeGreaterThan(299_000);
    expect(JSON.stringify(result)).toContain(`the whole: toolgate blobs get ${blob}`);
  });

  it("by who made the call: all that it had printed is kept, also what it says in its last moment", async () => {
    using scratch = openScratch();
    const { blobs, redactor } = redaction();
    const stop = new AbortController();
    // Not with the last line of the program that counts: bash would tell, now and then, that it was ended, too.
    const script = `trap 'echo ${secret}; echo cleaned; exit' TERM; ${LONG}; echo; sleep 600 & wait`;
    const onText = (text: string) => text.endsWith(`${LAST}\n`) && stop.abort();
    const result = await ran(scratch, script, { ports: { blobs, redactor }, signal: stop.signal, onText });
    expect(result.kind).toBe("stopped");
    const { bytes, blob } = cutOf(result) ?? {};
    const whole = String(blobs.kept.get(blob ?? ""));
    expect([whole.length, whole.includes(secret)]).toEqual([bytes, false]);
    expect(whole).toMatch(/^1\n2\n[\s\S]*\n39999\n40000\n\n[^\n]*\[REDACTED:[^\n]*\ncleaned\n$/);
  });

  it("and prints little: nothing is kept, and nothing is said to be cut", async () => {
    using scratch = openScratch();
    const { blobs, redactor } = redaction();
    const stop = new AbortController();
    const result = await ran(scratch, "echo begun; sleep 600", {
      ports: { blobs, redactor },
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(result).toEqual({ kind: "stopped", content: [{ type: "text", text: "begun\n" }] });
    expect(blobs.kept.size).toBe(0);
  });

  it("does not wait for ever for a store that takes nothing, and says that the whole is not kept", async () => {
    using scratch = openScratch();
    const clock = handClock();
    const stop = new AbortController();
    const asked = Promise.withResolvers<void>();
    const put = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const onText = (text: string) => text.endsWith(LAST) && stop.abort();
    let isOver = false;
    const running = ran(scratch, `${LONG}; sleep 600`, {
      ports: { blobs: { put }, clock },
      signal: stop.signal,
      onText,
    });
    void running.then(() => {
      isOver = true;
    });
    await asked.promise;
    await expect.poll(() => clock.waiting()).toBe(1);
    clock.move(LIMITS.commandKeepMs.default - 1);
    expect(isOver).toBe(false);
    clock.move(1);
    const result = await running;
    expect([result.kind, cutOf(result)?.blob, clock.waiting()]).toEqual(["stopped", null, 0]);
    expect(cutOf(result)?.bytes).toBeGreaterThan(200_000);
  });
});
