import { expect, it, vi } from "vitest";
import { RedactStream } from "../../src/redact/redact-stream.ts";
import { SLICE_BYTES, TimeSlices } from "../../src/redact/time-slices.ts";
import { asKind, openScratchGate } from "../support/scratch-gate.ts";
import { made, redactorOf } from "./samples.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works in slices that take a millisecond each, and notes whose slice it was. */
function worker(name: string, slices: TimeSlices, count: number, clock: { nowMs: number }, log: string[]) {
  return (async () => {
    for (let done = 0; done < count; done++) {
      await slices.next();
      clock.nowMs++;
      log.push(name);
    }
  })();
}

function sliced() {
  const clock = { nowMs: 0 };
  return { clock, slices: new TimeSlices(() => clock.nowMs), log: [] as string[] };
}

it("lets one worker do two milliseconds of work in each turn of the event loop", async () => {
  const { clock, slices, log } = sliced();
  const work = worker("a", slices, 6, clock, log);
  const perTurn: number[] = [];
  for (let seen = 0; log.length < 6; seen = log.length) {
    await turn();
    perTurn.push(log.length - seen);
  }
  await work;
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});

it("gives several workers one slice per turn together, in the order in which they asked", async () => {
  const { clock, slices, log } = sliced();
  const work = Promise.all(["a", "b", "c"].map((name) => worker(name, slices, 3, clock, log)));
  const perTurn: number[] = [];
  for (let seen = 0; log.length < 9; seen = log.length) {
    await turn();
    perTurn.push(log.length - seen);
  }
  await work;
  expect(log.slice(0, 6).join("")).toBe("abcabc");
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});

const LINE = `AKIA${made(16, "upper")}\n`;

it("28.16: no output of a program is searched in pieces longer than a slice", async () => {
  const rules = [{ id: "all", effect: "allow", touch: { exec: ["**"] } }] as const;
  await using scratch = openScratchGate({ rules, config: { tools: { builtin: ["shell"] } } });
  const push = vi.spyOn(RedactStream.prototype, "push");
  try {
    const command = `yes ${LINE.trim()} | head -c 400000`;
    const outcome = await scratch.gate.call({ tool: "run_command", input: { command } });
    expect(JSON.stringify(asKind(outcome, "completed").content)).not.toContain(LINE.trim());
    const lengths = push.mock.calls.map(([chunk]) => chunk.length);
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThanOrEqual(400_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(SLICE_BYTES);
  } finally {
    push.mockRestore();
  }
});

it("a stream in slices gives what the whole gives at once", async () => {
  const redactor = await redactorOf();
  const bytes = Buffer.from(`${LINE}password=${made(20)}\n`.repeat(3000));
  const parts: Uint8Array[] = [];
  for await (const part of redactor.redactChunks([bytes.subarray(0, 70_001), bytes.subarray(70_001)])) parts.push(part);
  expect(Buffer.concat(parts).equals(redactor.redactBytes(bytes).bytes)).toBe(true);
});

it.each([
  [
    "the error of a tool",
    (text: string) => ({ kind: "failed", error: { code: "TOOL_FAILED", message: text, retryable: false } }),
  ],
  ["the result of a tool", (text: string) => ({ kind: "completed", content: [{ type: "text", text }] })],
])("28.16: %s is searched in slices", async (_, result) => {
  const redactor = await redactorOf();
  const text = LINE.repeat(20_000);
  const value = result(text);
  const push = vi.spyOn(RedactStream.prototype, "push");
  try {
    const clean = await redactor.redactInSlices(value);
    expect(JSON.stringify(clean)).not.toContain(LINE.trim());
    expect(push.mock.calls.length).toBeGreaterThanOrEqual(text.length / SLICE_BYTES);
  } finally {
    push.mockRestore();
  }
});
