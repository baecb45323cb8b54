import { expect, it } from "vitest";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import { grantOutsideLease } from "../../src/rules/grant-within.ts";

type Granted = Record<"read" | "write" | "connect", readonly string[]>;
const NONE: Granted = { read: [], write: [], connect: [] };
const lease = (more: Partial<Lease>): Lease => ({ ...EVERYTHING, ...more });

it.each<[string, Partial<Granted>, Lease, string | null]>([
  ["nothing, under nothing", {}, lease({ read: [], write: [], hosts: [] }), null],
  ["all, under everything", { read: ["/**"], write: ["/**"], connect: ["*:443"] }, EVERYTHING, null],
  ["the workspace", { read: ["./**"] }, lease({ read: ["./**"] }), null],
  ["a part of it", { read: ["./a/**"] }, lease({ read: ["./**"] }), null],
  ["more than a part", { read: ["./**"] }, lease({ read: ["./a/**"] }), "read `./**`"],
  ["writing", { write: ["./a"] }, lease({ write: ["./b"] }), "write `./a`"],
  ["a host", { connect: ["api.example.com:443"] }, lease({ hosts: ["api.example.com:443"] }), null],
  ["another host", { connect: ["api.example.com:443"] }, lease({ hosts: [] }), "connect `api.example.com:443`"],
  ["what is no pattern", { read: ["no/pattern"] }, EVERYTHING, "read `no/pattern`"],
  [
    "within a parent's that is narrower",
    { read: ["./**"] },
    lease({ read: ["./**"], within: lease({ read: ["./a/**"] }) }),
    "read `./**`",
  ],
])("%s", (_, grant, held, outside) => expect(grantOutsideLease({ ...NONE, ...grant }, held, "/w")).toBe(outside));
