import { describe, expect, it } from "vitest";
import { UNLIMITED } from "../../src/domain/budget.ts";
import type { JsonValue } from "../../src/domain/json.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { leaseFromSource } from "../../src/sessions/lease-source.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const read = (source: JsonValue, base = {}) => leaseFromSource(source, { nowMs: NOW, workspace: "/w", ...base });
const lease = (source: JsonValue) => {
  const found = read(source);
  if (!found.ok) throw new Error(JSON.stringify(found.errors));
  return found.lease;
};
const errors = (source: JsonValue) => {
  const found = read(source);
  return found.ok ? [] : found.errors.map(({ field, message }) => `${field}: ${message}`);
};

describe("a lease as people write it", () => {
  it("grants nothing that it leaves out, for a day", () => {
    expect(lease({})).toEqual({
      tools: [],
      read: [],
      write: [],
      hosts: [],
      commands: [],
      models: [],
      budget: UNLIMITED,
      expiresAtMs: NOW + DAY,
    });
  });

  it("may say everything, and no end", () => {
    const all = { tools: "everything", read: "everything", write: "everything" };
    expect(lease({ ...all, hosts: "everything", commands: "everything", models: "everything", expires: null })).toEqual(
      Object.fromEntries(Object.entries(EVERYTHING).filter(([name]) => name !== "id")),
    );
  });

  it.each<[JsonValue, number]>([
    [{ for: "30s" }, NOW + 30_000],
    [{ for: "5m" }, NOW + 300_000],
    [{ for: "8h" }, NOW + 8 * 3_600_000],
    [{ for: "366d" }, NOW + 366 * DAY],
    [{ expires: "2026-01-01T00:00:01Z" }, NOW + 1000],
    [{ expires: "2026-01-01T02:00+01:00" }, NOW + 3_600_000],
  ])("%j ends at its time", (source, endMs) => expect(lease(source).expiresAtMs).toBe(endMs));

  it.each<[JsonValue, string]>([
    [null, "a lease has to be an object"],
    [[], "a lease has to be an object"],
    ["everything", "a lease has to be an object"],
    [{ tool: [] }, "tool"],
    [{ tools: "all" }, "tools"],
    [{ tools: [1] }, "tools[0]"],
    [{ tools: [""] }, "tools[0]"],
    [{ expires: "everything" }, "write it like"],
    [{ read: ["src/**"] }, "read[0]: the pattern `src/**` does not say where it begins"],
    [{ write: ["../x"] }, "write[0]"],
    [{ hosts: ["example.org"] }, "hosts[0]"],
    [{ commands: ["npm test; id"] }, "commands[0]"],
    [{ tools: ["a b"] }, "tools[0]"],
    [{ for: "8 hours" }, "for: write it like `30m`"],
    [{ for: "0h" }, "for: write it like"],
    [{ for: "367d" }, "for: a lease lasts a year at most"],
    [{ for: "1h", expires: "2026-02-01T00:00:00Z" }, "leave one out"],
    [{ expires: "2026-01-01T00:00:00Z" }, "expires: a lease has to end in the future"],
    [{ expires: "2026-02-01T00:00:00" }, "expires: write it like"],
    [{ expires: "2026-02-31T99:00:00Z" }, "expires: write it like"],
    [{ budget: { calls: -1 } }, "budget.calls"],
    [{ budget: { calls: 0.5 } }, "budget.calls"],
    [{ budget: { call: 1 } }, "budget.call"],
  ])("%j is none", (source, message) => expect(errors(source).join("\n")).toContain(message));

  it("says all that is wrong with it at once", () => {
    expect(errors({ read: ["a", "./b"], hosts: ["x"], for: "soon" })).toHaveLength(3);
    expect(errors({ tols: [], write: 5, read: ["a"], for: "soon", budget: { calls: -1 } })).toEqual([
      "tols: `tols` is not a known field, the nearest is `tools`",
      "write: `write` must be an array, not a number",
      "budget.calls: `budget.calls` must be at least 0, not -1",
      expect.stringMatching(/^read\[0\]: /),
      "for: write it like `30m`, `8h` or `7d`",
    ]);
    expect(errors({ expires: 5, for: "8h" })).toEqual(["expires: `expires` must be a string or null, not a number"]);
  });

  it("changes of another one what it names", () => {
    const base = { ...EVERYTHING, expiresAtMs: NOW + 5 };
    const found = read({ read: ["./a"] }, { base });
    expect(found).toMatchObject({ ok: true, lease: { read: ["./a"], write: "everything", expiresAtMs: NOW + 5 } });
  });
});
