import { describe, expect, it } from "vitest";
import type { Session } from "../../src/domain/lease.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { codeOf, openScratchGate } from "../support/scratch-gate.ts";

const READ = { tool: "read_file", input: { path: "a" } };

/** As a program without types hands it over. */
const named = (session: unknown) => ({ session }) as { readonly session: Session };

const NONE: readonly unknown[] = [undefined, null, "session_1", {}, { kind: "open", session: {} }];

describe("a call that names a session which is none", () => {
  it.each(NONE)("is refused, and in the ledger: %j", async (session) => {
    await using scratch = openScratchGate();
    scratch.put("a");
    const outcome = await scratch.gate.call({ ...READ, ...named(session) });
    expect(outcome).toMatchObject({
      kind: "refused",
      refusal: { code: "SESSION_UNKNOWN", hint: expect.stringContaining("gate.sessions.check") },
    });
    expect(scratch.entries(outcome.callId).at(-1)).toMatchObject({ body: { code: "SESSION_UNKNOWN" } });
  });

  it("as of a token that nobody has", async () => {
    await using scratch = openScratchGate();
    scratch.put("a");
    const checked = (await scratch.gate.sessions.check("nosuch")) as { readonly session?: Session };
    expect(codeOf(await scratch.gate.call({ ...READ, ...named(checked.session) }))).toBe("SESSION_UNKNOWN");
  });

  it.each<[string, (gate: Gate, whose: { session: Session }) => Promise<string>]>([
    ["executions", async (gate, whose) => JSON.stringify(await gate.executions.execute({ ...READ, ...whose }))],
    ["stream", async (gate, whose) => JSON.stringify(await Array.fromAsync(gate.stream({ ...READ, ...whose })))],
    ["batch", async (gate, whose) => JSON.stringify(await gate.batch([{ ...READ, ...whose }]))],
    ["explain", async (gate, whose) => JSON.stringify(await gate.explain({ ...READ, ...whose }))],
    [
      "explain in a batch",
      async (gate, whose) => JSON.stringify(await gate.batch([{ ...READ, ...whose, op: "explain" }])),
    ],
    [
      "answer",
      async (gate, whose) => {
        const call = { id: "1", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } };
        const response = { choices: [{ message: { role: "assistant", tool_calls: [call] } }] };
        return JSON.stringify(await gate.answer("openai", response, whose));
      },
    ],
  ])("by every way: %s", async (_, ask) => {
    await using scratch = openScratchGate();
    scratch.put("a", "the content");
    expect(await ask(scratch.gate, named(undefined))).toContain("SESSION_UNKNOWN");
    expect(await ask(scratch.gate, named(scratch.gate.session()))).not.toContain("SESSION_UNKNOWN");
  });

  it("and one that names none is bound by nothing but the rules", async () => {
    await using scratch = openScratchGate();
    scratch.put("a");
    expect(codeOf(await scratch.gate.call(READ))).toBe("completed");
  });
});
