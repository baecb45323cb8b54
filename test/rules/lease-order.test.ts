import { describe, expect, it } from "vitest";
import { UNLIMITED } from "../../src/domain/budget.ts";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import { widening } from "../../src/rules/lease-order.ts";

const beyond = (before: Partial<Lease>, after: Partial<Lease>) =>
  widening({ ...EVERYTHING, ...before }, { ...EVERYTHING, ...after }, "/w");

describe("a lease does not go beyond another one", () => {
  it.each<[Partial<Lease>, Partial<Lease>]>([
    [{}, {}],
    [{}, { tools: [], read: [], write: [], hosts: [], commands: [], models: [] }],
    [{ tools: ["a*"] }, { tools: ["ab", "a*"] }],
    [{ read: ["./**"] }, { read: ["./src/**", "./a"] }],
    [{ write: ["/**"] }, { write: ["./src/**"] }],
    [{ hosts: ["*.org:443", "localhost:80"] }, { hosts: ["a.org:443", "localhost:80"] }],
    [{ commands: ["npm **"] }, { commands: ["npm **"] }],
    [{ models: ["a/*"] }, { models: ["a/b"] }],
    [{ budget: { ...UNLIMITED, calls: 5 } }, { budget: { ...UNLIMITED, calls: 5 } }],
    [{ budget: UNLIMITED }, { budget: { ...UNLIMITED, calls: 5 } }],
  ])("%j, %j", (before, after) => expect(beyond(before, after)).toBe(null));
});

describe("a lease goes beyond another one", () => {
  it.each<[Partial<Lease>, Partial<Lease>, string]>([
    [{ tools: [] }, {}, "`tools`: everything"],
    [{ tools: ["a"] }, { tools: ["a", "b"] }, "`tools`: `b`"],
    [{ read: ["./src/**"] }, { read: ["./**"] }, "`read`: `./**`"],
    [{ write: ["./a/**"] }, { write: ["./ab"] }, "`write`: `./ab`"],
    [{ hosts: ["a.org:443"] }, { hosts: ["a.org:80"] }, "`hosts`: `a.org:80`"],
    [{ hosts: ["*:*"] }, { hosts: ["127.0.0.1:80"] }, "`hosts`: `127.0.0.1:80`"],
    [{ commands: ["npm test"] }, { commands: ["npm *"] }, "`commands`: `npm *`"],
    [{ models: ["a/b"] }, { models: ["a/*"] }, "`models`: `a/*`"],
    [{ budget: { ...UNLIMITED, bytes: 5 } }, { budget: { ...UNLIMITED, bytes: 6 } }, "a budget of 6 `bytes`"],
    [{ budget: { ...UNLIMITED, tokens: 5 } }, {}, "a budget of unlimited `tokens`"],
  ])("%j, %j", (before, after, what) => expect(beyond(before, after)).toBe(what));
});
