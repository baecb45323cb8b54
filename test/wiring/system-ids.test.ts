import { describe, expect, it } from "vitest";
import { systemIds } from "../../src/wiring/system-ids.ts";

describe("ids", () => {
  it("are the prefix, 48 bits of time, 48 of chance and a count", () =>
    expect(systemIds(() => 0x19_2837_4655).next("call")).toMatch(/^call_001928374655[0-9a-f]{20}$/));

  it("are all different, also in one millisecond", () => {
    const ids = systemIds(() => 1);
    expect(new Set(Array.from({ length: 10_000 }, () => ids.next("x"))).size).toBe(10_000);
  });

  it("sort by time", () => {
    let now = 1;
    const ids = systemIds(() => now);
    const made = Array.from({ length: 500 }, () => {
      now += 7;
      return ids.next("x");
    });
    expect(made.toSorted()).toEqual(made);
  });
});
