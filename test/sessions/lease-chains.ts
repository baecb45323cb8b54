import * as fc from "fast-check";
import { UNLIMITED } from "../../src/domain/budget.ts";
import type { JsonValue } from "../../src/domain/json.ts";
import { EVERYTHING, type Lease, leaseChain } from "../../src/domain/lease.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { outsideLease } from "../../src/rules/lease.ts";
import { widening } from "../../src/rules/lease-order.ts";
import { leaseFromSource } from "../../src/sessions/lease-source.ts";

const WORKSPACE = "/w";
const scope = (...patterns: string[]) => fc.oneof(fc.constant("everything" as const), fc.subarray(patterns));

/** Leases that overlap each other in many ways. */
const source = fc.record(
  {
    tools: scope("t", "t*", "u", "*"),
    read: scope("./**", "./a/**", "./a/b", "./*", "**/b", "/**", "./a/*"),
    write: scope("./**", "./a/**", "./a/b"),
    hosts: scope("*:*", "*.org:443", "a.org:443", "a.org:*", "localhost:80"),
    commands: scope("**", "npm **", "npm test", "npm *"),
    models: scope("*", "p/*", "p/m"),
    budget: fc.record({ calls: fc.option(fc.nat(5)), tokens: fc.option(fc.nat(5)) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const exec = (text: string): Touch => ({
  kind: "exec",
  program: "/usr/bin/npm",
  origin: "toolchain",
  argv: text.split(" ").map((word) => ({ text: word, known: true })),
});

const TOUCHES: readonly Touch[] = [
  ...["/w", "/w/a", "/w/a/b", "/w/a/b/c", "/w/b", "/b", "/etc/x"].flatMap((path): Touch[] => [
    { kind: "read", path },
    { kind: "write", path },
    { kind: "delete", path },
    { kind: "read", path, tree: true },
  ]),
  ...["a.org", "b.org", "localhost"].flatMap((host): Touch[] =>
    [443, 80].map((port) => ({ kind: "connect", host, port, scheme: "tcp" }) as const),
  ),
  ...["npm", "npm test", "npm ci", "npm run x", "id"].map(exec),
  { kind: "git", operation: "PUSH", arguments: [], repository: WORKSPACE },
  { kind: "model", provider: "p", model: "m", tokensMax: 1 },
  { kind: "model", provider: "q", model: "m", tokensMax: 1 },
  { kind: "unknown", reason: "r" },
];

const covered = (lease: Lease): ReadonlySet<string> =>
  new Set(
    ["t", "tt", "u"].flatMap((tool) =>
      TOUCHES.flatMap((touch, index) =>
        outsideLease(lease, tool, [touch], WORKSPACE) === null ? [`${tool} ${index}`] : [],
      ),
    ),
  );

const leastBudget = (lease: Lease, kind: "calls" | "tokens"): number =>
  Math.min(...[...leaseChain(lease)].map(({ budget }) => budget[kind] ?? Number.POSITIVE_INFINITY));

function leaseOf(given: object, base?: Lease): Lease {
  const read = leaseFromSource(given as JsonValue, { nowMs: 0, workspace: WORKSPACE, ...(base && { base }) });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return { id: "l", ...read.lease };
}

/** What a session may do after some steps: a child of it is opened, or its lease is renewed where that is let through. */
type Step = { readonly kind: "child" | "renew"; readonly source: object };

const step = fc.record({ kind: fc.constantFrom("child", "renew"), source }) as fc.Arbitrary<Step>;

function after(lease: Lease, { kind, source: given }: Step): Lease {
  if (kind === "child") return { ...leaseOf(given), within: lease };
  const { within, ...own } = lease;
  const renewed = leaseOf(given, own);
  return widening(own, renewed, WORKSPACE) === null ? { ...renewed, ...(within && { within }) } : lease;
}

/** No chain of child leases and renewals covers anything that the lease before it did not. */
export function neverWider(numRuns: number): void {
  void fc.assert(
    fc.property(
      fc.oneof(fc.constant({ everything: true }), source),
      fc.array(step, { maxLength: 6 }),
      (first, steps) => {
        let lease: Lease =
          "everything" in first ? { ...EVERYTHING, id: "l", budget: UNLIMITED } : leaseOf(first as object);
        let before = covered(lease);
        for (const one of steps) {
          const next = after(lease, one);
          const now = covered(next);
          for (const what of now) if (!before.has(what)) throw new Error(`${what} is new after ${JSON.stringify(one)}`);
          for (const kind of ["calls", "tokens"] as const)
            if (leastBudget(next, kind) > leastBudget(lease, kind)) throw new Error(`more ${kind}`);
          [lease, before] = [next, now];
        }
      },
    ),
    { numRuns },
  );
}
