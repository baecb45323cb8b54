import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import { type ConnectedClient, connectClient } from "../../support/mcp-client.ts";
import { openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

const ASK_WRITES = [
  { id: "ask-writes", effect: "ask" as const, otherwise: true, touch: { write: ["./**"] }, because: "people decide" },
];
const WRITE = { name: "write_file", arguments: { path: "new.txt", content: "the new words" } };

const factsOf = (result: { _meta?: Record<string, unknown> | undefined }) => result._meta?.[OUTCOME_META];

describe.each(["2026-07-28", "2025-11-25", "2025-06-18"] as const)("a question on the MCP door, %s", (era) => {
  it.each([
    ["accept", { answer: "approve" }, "completed"],
    ["accept", { answer: "reject" }, "APPROVAL_REJECTED"],
    ["accept", { answer: "yes" }, "APPROVAL_REJECTED"],
    ["accept", {}, "APPROVAL_REJECTED"],
    ["decline", undefined, "APPROVAL_REJECTED"],
    ["cancel", undefined, "CANCELLED"],
  ] as const)("%s %j ends as %s", async (action, content, end) => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    const shown: ElicitRequest["params"][] = [];
    await using connected = await connectClient(scratch.gate, {
      era,
      fills: (params): ElicitResult => {
        shown.push(params);
        return { action, ...(content && { content: { ...content } }) };
      },
    });
    const result = await connected.client.callTool(WRITE);
    expect(shown).toHaveLength(1);
    expect(shown[0]?.message).toContain("the new words");
    expect(shown[0]?.message).toContain("write `new.txt`");
    expect(shown[0]?.message).toContain("people decide");
    if (end === "completed") {
      expect(scratch.text("new.txt")).toBe("the new words");
      expect(factsOf(result)).toMatchObject({ kind: "completed" });
      const answered = scratch.entries().find(({ kind }) => kind === "approval.answered");
      expect(answered?.actor).toBe(scratch.gate.actor);
    } else {
      expect(result.isError).toBe(true);
      expect(factsOf(result)).toMatchObject({ kind: "refused", code: end });
      expect(() => scratch.text("new.txt")).toThrow();
    }
  });

  it("saves the rule that it has shown, for always", async () => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    let asked = 0;
    await using connected = await connectClient(scratch.gate, {
      era,
      fills: ({ message }) => {
        asked++;
        expect(message).toContain("saves this rule");
        return { action: "accept", content: { answer: "always" } };
      },
    });
    await connected.client.callTool(WRITE);
    expect(scratch.text("new.txt")).toBe("the new words");
    expect(asked).toBe(1);
  });

  it("takes the first answer, also from another door, and lets the client's form go", async () => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    const open = Promise.withResolvers<AbortSignal>();
    const late = Promise.withResolvers<ElicitResult>();
    await using connected = await connectClient(scratch.gate, {
      era,
      fills: (_, signal) => {
        open.resolve(signal);
        signal.addEventListener("abort", () => late.resolve({ action: "decline" }));
        return late.promise;
      },
    });
    const call = connected.client.callTool(WRITE);
    await open.promise;
    const [question] = await scratch.gate.approvals.list();
    await scratch.gate.approvals.answer(question?.approvalId ?? "", { kind: "approve", who: "ann" });
    if (era === "2026-07-28") late.resolve({ action: "decline" }); // its own no comes second
    expect(factsOf(await call)).toMatchObject({ kind: "completed" });
    expect(scratch.text("new.txt")).toBe("the new words");
    expect(scratch.rows()).toHaveLength(1);
  });
});

describe("a question that a client of 2026-07-28 carries along", () => {
  it("is asked again, of the same call, where no answer came with the state", async () => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    await using connected = await byHand(scratch);
    const first = await round(connected);
    const second = await round(connected, { requestState: first.requestState, inputResponses: {} });
    expect(second.resultType).toBe("input_required");
    const done = await round(connected, { requestState: second.requestState, inputResponses: YES });
    expect(factsOf(done)).toMatchObject({ kind: "completed" });
    expect(scratch.rows()).toHaveLength(1);
  });

  it.each([
    { what: "a state that somebody changed", stateOf: (state: string) => `${state.slice(0, -4)}AAAA`, args: null },
    { what: "a state of no call", stateOf: () => "v1.e30.AAAA", args: null },
    { what: "other arguments", stateOf: (state: string) => state, args: { path: "new.txt", content: "other words" } },
  ])("runs nothing for $what", async ({ stateOf, args }) => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    await using connected = await byHand(scratch);
    const { requestState = "" } = await round(connected);
    const again = { requestState: stateOf(requestState), inputResponses: YES, ...(args && { arguments: args }) };
    await expect(round(connected, again)).rejects.toMatchObject({
      code: -32_602,
      data: { reason: "invalid_request_state" },
    });
    expect(() => scratch.text("new.txt")).toThrow();
  });

  it("runs nothing for a state that was used, nor on another connection", async () => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    await using connected = await byHand(scratch);
    await using other = await byHand(scratch);
    const { requestState } = await round(connected);
    await expect(round(other, { requestState, inputResponses: YES })).rejects.toMatchObject({ code: -32_602 });
    await round(connected, { requestState, inputResponses: YES });
    await expect(round(connected, { requestState, inputResponses: YES })).rejects.toMatchObject({ code: -32_602 });
    expect(scratch.rows().map(({ state }) => state)).toEqual(["completed"]);
  });

  it("is withdrawn with the connection", async () => {
    await using scratch = openScratchGate({ rules: ASK_WRITES });
    const connected = await byHand(scratch);
    await round(connected);
    await connected[Symbol.asyncDispose]();
    await scratch.gate.close();
    expect(scratch.rows().map(({ state }) => state)).toEqual(["cancelled"]);
  });
});

const YES = { approval: { action: "accept", content: { answer: "approve" } } };

/** A client that carries rounds along by hand. */
const byHand = (scratch: ScratchGate) =>
  connectClient(scratch.gate, {
    fills: () => ({ action: "cancel" }),
    options: { inputRequired: { autoFulfill: false } },
  });

interface Round {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly _meta?: Record<string, unknown>;
}

async function round({ client }: ConnectedClient, more: object = {}): Promise<Round> {
  const params = { ...WRITE, ...more } as unknown as Parameters<typeof client.callTool>[0];
  return (await client.callTool(params, { allowInputRequired: true })) as unknown as Round;
}
