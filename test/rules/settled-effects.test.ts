import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolEffects, Trust } from "../../src/domain/tool-effects.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { type SettledEffects, settledEffects } from "../../src/rules/settled-effects.ts";
import { factsFor } from "./sample-facts.ts";

const READ: Touch = { kind: "read", path: "/a" };
const WRITE: Touch = { kind: "write", path: "/a" };
const DELETE: Touch = { kind: "delete", path: "/a" };
const CONNECT: Touch = { kind: "connect", host: "a.b", port: 1, scheme: "tcp" };
const UNKNOWN: Touch = { kind: "unknown", reason: "?" };
const EXEC: Touch = { kind: "exec", program: null, origin: "nowhere", argv: [] };

const SAFE: ToolEffects = {
  filesystem: { read: false, write: false, delete: false },
  ...{ network: false, subprocess: false, idempotent: true, reversible: true, destructive: false },
  interactive: { stdin: "none", prompts: false, tty: false },
  cost: { estimate: "free", billable: false },
};
const HARMFUL: ToolEffects = {
  filesystem: { read: true, write: true, delete: true },
  ...{ network: true, subprocess: true, idempotent: false, reversible: false, destructive: true },
  interactive: { stdin: "password", prompts: true, tty: true },
  cost: { estimate: "high", billable: true },
};

const settled = (touches: readonly Touch[], effects?: ToolEffects, trust?: Trust): SettledEffects =>
  settledEffects(factsFor("t", { source: "mcp", touches, ...(effects && { effects }), ...(trust && { trust }) }));

describe("without a word from the tool", () => {
  it("reading only is known to be harmless", () =>
    expect(settled([READ])).toEqual({ ...SAFE, filesystem: { read: true, write: false, delete: false } }));

  it("writing may destroy, and says nothing else", () =>
    expect(settled([WRITE])).toEqual({
      ...SAFE,
      filesystem: { read: false, write: true, delete: false },
      ...{ destructive: true, reversible: false, idempotent: false },
    }));

  it("connecting may cost", () =>
    expect(settled([CONNECT])).toMatchObject({
      network: true,
      cost: { estimate: "high", billable: true },
      subprocess: false,
    }));

  it.each([[UNKNOWN], [EXEC]])("what does more than it touches is taken for the worst", (touch) =>
    expect(settled([touch])).toEqual(HARMFUL),
  );
});

describe("what a tool says", () => {
  it("is not believed of strangers where it says safe, and always where it says harm", () => {
    expect(settled([UNKNOWN], SAFE, "community")).toEqual(HARMFUL);
    expect(settled([READ], HARMFUL, "community")).toEqual(HARMFUL);
  });

  it("is believed of a vendor, but not against the touches", () => {
    expect(settled([UNKNOWN], SAFE, "vendor")).toEqual(SAFE);
    expect(settled([DELETE, UNKNOWN], SAFE, "vendor")).toEqual({
      ...SAFE,
      filesystem: { read: false, write: false, delete: true },
      destructive: true,
    });
  });

  it("is unknown where it says nothing, also of a vendor", () =>
    expect(settled([UNKNOWN], {}, "vendor")).toEqual(HARMFUL));
});

it("never makes a call of a stranger look safer than it does without a word", () => {
  const bool = fc.option(fc.boolean(), { nil: undefined });
  const said = fc.record({
    network: bool,
    destructive: bool,
    reversible: bool,
    idempotent: bool,
  }) as fc.Arbitrary<ToolEffects>;
  const touches = fc.uniqueArray(fc.constantFrom(READ, WRITE, DELETE, CONNECT, UNKNOWN), { minLength: 1 });
  void fc.assert(
    fc.property(touches, said, (some, effects) => {
      const [without, having] = [settled(some), settled(some, effects, "org")];
      for (const harm of ["network", "destructive"] as const)
        expect(having[harm]).toBe(without[harm] || effects[harm] === true);
      for (const safety of ["reversible", "idempotent"] as const)
        expect(having[safety]).toBe(without[safety] && effects[safety] !== false);
    }),
  );
});
