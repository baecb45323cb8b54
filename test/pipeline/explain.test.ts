import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/domain/json.ts";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const RULES: readonly RuleSource[] = [
  { id: "read", effect: "allow", touch: { read: ["./**"] }, because: "harmless" },
  { id: "write", effect: "ask", touch: { write: ["./**"] }, because: "people decide" },
  { id: "secrets", effect: "deny", touch: { read: ["./.env"], write: ["./.env"] }, because: "secrets" },
];

const mute = defineTool({
  name: "mute",
  description: "says nothing of what it touches",
  inputSchema: { type: "object" },
  execute: () => "ran",
});
const broken = defineTool({
  name: "broken",
  description: "can't be planned",
  inputSchema: { type: "object" },
  touches: () => {
    throw new Error("a bug");
  },
  execute: () => "ran",
});

const open = () => openScratchGate({ rules: RULES, tools: [mute, broken] });

interface Case {
  readonly name: string;
  readonly tool?: string;
  readonly input: JsonValue;
  readonly lease?: Partial<Lease>;
  readonly decision: string;
}

const CASES: readonly Case[] = [
  { name: "a read that is allowed", input: { path: "a.txt" }, decision: "allow by read" },
  { name: "a read of what is not there", input: { path: "none" }, decision: "allow by read" },
  {
    name: "a write that is asked about",
    tool: "write_file",
    input: { path: "a.txt", content: "" },
    decision: "ask by write",
  },
  { name: "a read that a rule denies", input: { path: ".env" }, decision: "deny by secrets RULE_DENY" },
  {
    name: "a write that one rule asks about and one denies",
    tool: "write_file",
    input: { path: ".env", content: "" },
    decision: "deny by secrets RULE_DENY",
  },
  { name: "a read outside", input: { path: "/etc/passwd" }, decision: "deny by none DEFAULT_DENY" },
  { name: "an unknown tool", tool: "reed_file", input: {}, decision: "deny by none TOOL_UNKNOWN" },
  { name: "bad arguments", input: { path: 1 }, decision: "deny by none INVALID_ARGUMENTS" },
  { name: "no arguments", input: null, decision: "deny by none INVALID_ARGUMENTS" },
  { name: "a path that is none", input: { path: "a\0b" }, decision: "deny by none PATH_INVALID" },
  { name: "a tool that does not say", tool: "mute", input: {}, decision: "deny by none DEFAULT_DENY" },
  { name: "a tool that can't be planned", tool: "broken", input: {}, decision: "deny by none FAULT" },
  {
    name: "a lease that has ended",
    input: { path: "a.txt" },
    lease: { expiresAtMs: 1 },
    decision: "deny by none LEASE_EXPIRED",
  },
  {
    name: "a lease without this file",
    input: { path: "a.txt" },
    lease: { read: ["./b"] },
    decision: "deny by none LEASE_SCOPE",
  },
];

const callOf = ({ tool = "read_file", input, lease = {} }: Case) => ({
  tool,
  input,
  session: { id: "s", project: "default", lease: { ...EVERYTHING, ...lease } },
});

async function explained({ gate }: ScratchGate, one: Case) {
  const { decision, ruleId, code } = await gate.explain(callOf(one));
  return `${decision} by ${ruleId ?? "none"}${code ? ` ${code}` : ""}`;
}

describe("explain", () => {
  it.each(CASES)("$name: $decision", async (one) => {
    await using scratch = open();
    scratch.put("a.txt");
    expect(await explained(scratch, one)).toBe(one.decision);
  });

  it.each(CASES)("says of $name what the call then says", async (one) => {
    await using scratch = open();
    scratch.put("a.txt");
    const [decision, , , code] = (await explained(scratch, one)).split(" ");
    const outcome = await scratch.gate.call(callOf(one), { whenAsked: "return" });
    if (decision === "allow") expect(["refused", "pending"]).not.toContain(outcome.kind);
    if (decision === "ask") expect(outcome.kind).toBe("pending");
    if (decision === "deny") expect([outcome.kind, codeOf(outcome)]).toEqual(["refused", code]);
  });

  it("shows the digest that the ledger then has", async () => {
    await using scratch = open();
    const call = { tool: "read_file", input: { path: scratch.put("a.txt") } };
    const { digest } = await scratch.gate.explain(call);
    const { callId } = await scratch.gate.call(call);
    expect(scratch.entries(callId).map(({ planDigest }) => planDigest)).toEqual([null, digest, digest]);
  });

  it("shows each touch with its rule, the risk, the reasons and the plan", async () => {
    await using scratch = open();
    const path = scratch.put("a.txt");
    const input = { path: "a.txt", content: "new" };
    const explanation = await scratch.gate.explain({ tool: "write_file", input });
    expect(explanation).toMatchObject({
      decision: "ask",
      ruleId: "write",
      touches: [{ kind: "write", path, decision: "ask", ruleId: "write", because: "people decide" }],
      risk: "MEDIUM",
      reasons: ["people decide"],
      plan: { tool: "write_file", input, operands: [{ path }] },
    });
    expect(explanation).not.toHaveProperty("code");
  });

  it("shows touches and plan of what is denied, and no digest", async () => {
    await using scratch = open();
    expect(await scratch.gate.explain({ tool: "read_file", input: { path: ".env" } })).toMatchObject({
      decision: "deny",
      code: "RULE_DENY",
      touches: [{ kind: "read", decision: "deny", ruleId: "secrets" }],
      reasons: ["rule `secrets` denies read `.env`: secrets"],
      plan: { tool: "read_file" },
      digest: null,
    });
  });

  it("lists all that is wrong with the arguments", async () => {
    await using scratch = open();
    const { errors, plan, risk, touches } = await scratch.gate.explain({
      tool: "read_file",
      input: { limit: 0, x: 1 },
    });
    expect(errors?.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      "path required",
      "limit min_value",
      "x unknown_field",
    ]);
    expect({ plan, risk, touches }).toEqual({ plan: null, risk: null, touches: [] });
  });

  it("writes nothing, neither state nor file", async () => {
    await using scratch = open();
    for (const one of CASES) await scratch.gate.explain(callOf(one));
    await scratch.gate.close();
    expect(existsSync(scratch.stateDir)).toBe(false);
    expect(readdirSync(scratch.workspace)).toEqual([]);
  });
});
