import { describe, expect, it } from "vitest";
import type { RawCall } from "../../src/domain/call.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { WatchedCalls } from "../../src/wiring/watched-calls.ts";

const MEBI = 1024 * 1024;
const NEVER_ENDS = new Promise<Outcome>(() => {});
const call = (callId: string, rawInput: unknown = {}) => ({ callId, rawInput }) as RawCall;
const outcome = (kind: Outcome["kind"], text = "") =>
  Promise.resolve({ kind, content: [{ text }] } as never as Outcome);

describe("WatchedCalls", () => {
  it("hold the newest, by how many and by how long they are", () => {
    const watched = new WatchedCalls();
    for (let at = 0; at < 40; at++) watched.add(call(`long_${at}`, { content: "x".repeat(MEBI) }), NEVER_ENDS);
    expect(watched.chars).toBeLessThanOrEqual(32 * MEBI);
    expect([watched.find("long_8"), watched.find("long_9")?.raw.callId]).toEqual([undefined, "long_9"]);
    for (let at = 0; at < 1024; at++) watched.add(call(`short_${at}`), NEVER_ENDS);
    expect([watched.find("long_39"), watched.find("short_0")?.raw.callId]).toEqual([undefined, "short_0"]);
    expect(watched.chars).toBe(0);
  });

  it("let go what was refused or waits, and keep what was executed until it is told", async () => {
    const watched = new WatchedCalls();
    for (const kind of ["refused", "pending", "completed", "failed"] as const) watched.add(call(kind), outcome(kind));
    const thrown = Promise.reject(new Error("a mistake"));
    watched.add(call("thrown"), thrown);
    await thrown.catch(() => {});
    const held = ["refused", "pending", "completed", "failed", "thrown"].filter((id) => watched.find(id));
    expect(held).toEqual(["completed", "failed"]);
    for (const id of held) watched.forget(id);
    expect(watched.chars).toBe(0);
  });

  it("count results, too", async () => {
    const watched = new WatchedCalls();
    const ends = Array.from({ length: 40 }, (_, at) => [`call_${at}`, outcome("completed", "x".repeat(MEBI))] as const);
    for (const [id, end] of ends) watched.add(call(id), end);
    await Promise.all(ends.map(([, end]) => end));
    expect(watched.chars).toBeLessThanOrEqual(32 * MEBI);
    expect([watched.find("call_0"), watched.find("call_39")?.raw.callId]).toEqual([undefined, "call_39"]);
  });

  it("hold no arguments that are too long by themselves, or have no end", () => {
    const watched = new WatchedCalls();
    const round: Record<string, unknown> = {};
    round["itself"] = round;
    watched.add(call("before", "xyz"), NEVER_ENDS);
    watched.add(call("round", round), NEVER_ENDS);
    watched.add(call("long", "x".repeat(33 * MEBI)), NEVER_ENDS);
    expect([watched.find("round"), watched.find("long"), watched.chars]).toEqual([undefined, undefined, 3]);
    expect(watched.find("before")?.raw.rawInput).toBe("xyz");
  });
});
