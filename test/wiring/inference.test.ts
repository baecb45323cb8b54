import { Buffer } from "node:buffer";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { InferenceWire } from "../../src/domain/model-provider.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { type FakeProvider, PROVIDER_KEY } from "../formats/fake-provider.ts";
import { asKind, codeOf, openScratchGate } from "../support/scratch-gate.ts";
import { untoldJournal } from "../support/untold-journal.ts";
import { agentIn, MAY_ASK, NAMES, openInferenceGate } from "./inference-gate.ts";

/** What the provider's own package sends for the same question, and reads out of the answer. */
async function bySdk(wire: InferenceWire, { url }: FakeProvider): Promise<{ text: string; tokens: unknown }> {
  if (wire === "anthropic") {
    const client = new Anthropic({ baseURL: url(wire), apiKey: PROVIDER_KEY, maxRetries: 0 });
    const message = await client.messages.create({
      model: "m-1",
      max_tokens: 50,
      system: "Be short.",
      messages: [{ role: "user", content: "hi ä" }],
    });
    const [block] = message.content;
    return {
      text: block?.type === "text" ? block.text : "",
      tokens: [message.usage.input_tokens, message.usage.output_tokens],
    };
  }
  const client = new OpenAI({ baseURL: url(wire), apiKey: PROVIDER_KEY, maxRetries: 0 });
  const completion = await client.chat.completions.create({
    model: "m-1",
    ...(wire === "openai" ? { max_completion_tokens: 50 } : { max_tokens: 50 }),
    messages: [
      { role: "system", content: "Be short." },
      { role: "user", content: "hi ä" },
    ],
    temperature: 0.5,
  });
  return {
    text: completion.choices[0]?.message.content ?? "",
    tokens: [completion.usage?.prompt_tokens, completion.usage?.completion_tokens],
  };
}

describe("a model that is asked", () => {
  it.each(NAMES)("is sent what the provider's own package sends, and read as that reads it: %s", async (wire) => {
    await using opened = await openInferenceGate();
    const { infer, provider } = opened;
    const heat = wire === "anthropic" ? {} : { temperature: 0.5 };
    const input = { provider: wire, prompt: "hi ä", system: "Be short.", max_tokens: 50, ...heat };
    const outcome = asKind(await infer(input), "completed");
    const sdk = await bySdk(wire, provider);
    const [ours, theirs] = provider.requests;
    expect(ours?.body).toEqual(theirs?.body);
    expect(ours?.path).toBe(theirs?.path);
    for (const name of ["content-type", "anthropic-version"])
      expect([name, ours?.headers[name]]).toEqual([name, theirs?.headers[name]]);
    expect(outcome.content).toEqual([{ type: "text", text: sdk.text }]);
    expect(outcome.structured).toMatchObject({
      provider: wire,
      model: "m-1",
      answered_by: "m-1-20260101",
      usage: { input_tokens: 12, output_tokens: 3 },
    });
    expect(sdk.tokens).toEqual([12, 3]);
    expect(outcome.budgetConsumed).toBe(15);
  });

  it("is asked with a temperature in the version of Anthropic that takes one", async () => {
    await using opened = await openInferenceGate();
    expect(codeOf(await opened.infer({ temperature: 0.5 }))).toBe("completed");
    expect(opened.provider.requests[0]).toMatchObject({
      headers: { "anthropic-version": "2023-06-01" },
      body: { temperature: 0.5 },
    });
  });

  it("leaves out what nobody has said, and has a limit of tokens all the same", async () => {
    await using opened = await openInferenceGate();
    asKind(await opened.infer(), "completed");
    expect(opened.provider.requests[0]?.body).toEqual({
      model: "m-1",
      max_tokens: 4096,
      messages: [{ role: "user", content: "hi" }],
    });
  });

  it("has its prompt kept and told to the ledger before it is sent, and its key nowhere", async () => {
    let before: readonly string[] = [];
    const opened = await openInferenceGate(() => {
      before = opened.scratch.entries().map(({ kind }) => kind);
      return { text: `you sent ${PROVIDER_KEY}`, input: 1, output: 1 };
    });
    await using _ = opened;
    const outcome = asKind(await opened.infer({ system: "told" }), "completed");
    expect(before.slice(-3)).toEqual(["tool.requested", "tool.decided", "evidence.prompt"]);
    const told = opened.scratch.entries().find(({ kind }) => kind === "evidence.prompt")?.body;
    const texts = await Promise.all(
      ["blob", "systemBlob"].map(async (name) => {
        const found = await opened.scratch.gate.blobs.get(String(told?.[name]));
        return found.ok ? Buffer.concat(await Array.fromAsync(found.value.chunks())).toString() : found.fault.code;
      }),
    );
    expect(texts).toEqual(["hi", "told"]);
    expect(outcome.structured).toMatchObject({ prompt_hash: told?.["blob"], system_prompt_hash: told?.["systemBlob"] });
    expect(outcome.content).toEqual([{ type: "text", text: "you sent [REDACTED:KEY]" }]);
    expect(JSON.stringify([opened.scratch.entries(), outcome])).not.toContain(PROVIDER_KEY);
  });

  it("is not asked where the ledger can't be told", async () => {
    await using opened = await openInferenceGate(undefined, { policy: "untold" });
    const gate = opened.scratch.again({ inner: { journal: untoldJournal(opened.scratch.stateDir) } });
    const input = { provider: "anthropic", model: "m-1", prompt: "hi" };
    expect(codeOf(await gate.call({ tool: "infer", input }))).toBe("LEDGER_UNAVAILABLE");
    expect(opened.provider.requests).toEqual([]);
  });

  it("is asked by the hash of what its caller has stored, and of nothing else", async () => {
    await using opened = await openInferenceGate();
    const [one, other] = [await agentIn(opened.scratch), await agentIn(opened.scratch)];
    const [prompt_hash, system_prompt_hash] = [await one.put("stored"), await one.put("beforehand")];
    expect(codeOf(await other.infer({ prompt_hash }))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await other.infer({ prompt: "x", system_prompt_hash }))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await one.infer({ prompt_hash: "0".repeat(64) }))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await one.infer({ prompt_hash: await one.put(Uint8Array.of(255)) }))).toBe("NOT_TEXT");
    expect(opened.provider.requests).toEqual([]);
    expect(codeOf(await one.infer({ prompt_hash, system_prompt_hash }))).toBe("completed");
    expect(opened.provider.requests[0]?.body).toMatchObject({
      system: "beforehand",
      messages: [{ role: "user", content: "stored" }],
    });
  });

  it("is asked what the approver has read", async () => {
    let shown = "";
    const approver: Approver = {
      ask: async ({ preview, touches }) => {
        shown = `${preview} ${JSON.stringify(touches)}`;
        return { kind: "approve", who: "ann" };
      },
    };
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { model: ["*"] } }];
    await using opened = await openInferenceGate(undefined, { approver, rules });
    const one = await agentIn(opened.scratch);
    const prompt_hash = await one.put("what is asked");
    expect(codeOf(await one.infer({ prompt_hash, system: "told" }))).toBe("completed");
    expect(shown).toContain("Told beforehand:\ntold\n\nAsked:\nwhat is asked\n");
    expect(shown).toContain('"tokensMax":4096');
  });
});

describe("rules about models", () => {
  it.each<[string, readonly RuleSource[], JsonObject, string]>([
    ["nothing is allowed by default", [], {}, "DEFAULT_DENY"],
    ["another provider", [{ id: "a", effect: "allow", touch: { model: ["openai/*"] } }], {}, "DEFAULT_DENY"],
    ["another model", MAY_ASK, { model: "x-1" }, "DEFAULT_DENY"],
    ["the model", [{ id: "a", effect: "allow", touch: { model: ["anthropic/m-1"] } }], {}, "completed"],
    [
      "a deny beside an allow",
      [...MAY_ASK, { id: "d", effect: "deny", touch: { model: ["anthropic/*"] } }],
      {},
      "RULE_DENY",
    ],
    [
      "a condition about tokens, at its border",
      [{ id: "few", effect: "allow", touch: { model: ["*"] }, when: "touch.tokensMax <= 100" }],
      { max_tokens: 100 },
      "completed",
    ],
    [
      "a condition about tokens, beyond",
      [{ id: "few", effect: "allow", touch: { model: ["*"] }, when: "touch.tokensMax <= 100" }],
      { max_tokens: 101 },
      "DEFAULT_DENY",
    ],
    [
      "a condition about what it costs",
      [...MAY_ASK, { id: "d", effect: "deny", when: "effects.cost.billable" }],
      {},
      "RULE_DENY",
    ],
  ])("%s", async (_, rules, input, code) => {
    await using opened = await openInferenceGate(undefined, { rules });
    expect(codeOf(await opened.infer(input))).toBe(code);
    expect(opened.provider.requests).toHaveLength(code === "completed" ? 1 : 0);
  });

  it("that keep the provider's host closed are the stricter word", async () => {
    const rules = [...MAY_ASK, { id: "closed", effect: "deny" as const, touch: { connect: ["127.0.0.1:*"] } }];
    await using opened = await openInferenceGate(undefined, { rules });
    expect(codeOf(await opened.infer())).toBe("EGRESS_BLOCKED");
    expect(opened.provider.requests).toEqual([]);
  });

  it("are made by an answer of always, for answers as long as that one", async () => {
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", otherwise: true, touch: { model: ["*"] } }];
    const local = { wire: "openai-compatible", url: "http://127.0.0.1:1/v1", models: ["m-1"] };
    const tools = { builtin: ["inference"], inference: { providers: { local } } };
    await using scratch = openScratchGate({ rules, config: { tools }, settings: "followed" });
    const { gate } = scratch;
    const call = (max_tokens: number) => ({
      tool: "infer",
      input: { provider: "local", model: "m-1", prompt: "hi", max_tokens },
    });
    const { approval } = asKind(await gate.call(call(10), { whenAsked: "return" }), "pending");
    const question = await gate.approvals.find(approval.id);
    if (question === null) throw new Error("no question");
    const proposed = gate.always.propose(question.shown, "approve");
    if (!proposed.ok) throw new Error(proposed.because);
    expect(proposed.rule.touch).toEqual({ model: ["local/m-1"] });
    await gate.always.save(proposed, { who: "user:ann", approvalId: approval.id });
    expect((await gate.explain(call(10))).decision).toBe("allow");
    expect((await gate.explain(call(11))).decision).toBe("ask");
  });
});

describe("what is no question", () => {
  it.each<[string, JsonObject, string]>([
    ["nothing", { prompt: "" }, "INVALID_ARGUMENTS"],
    ["two prompts", { prompt_hash: "0".repeat(64) }, "INVALID_ARGUMENTS"],
    ["a provider that there is not", { provider: "else" }, "INVALID_ARGUMENTS"],
    ["a model that is not listed", { model: "m-3" }, "INVALID_ARGUMENTS"],
    ["no tokens", { max_tokens: 0 }, "INVALID_ARGUMENTS"],
    ["the most tokens", { max_tokens: 1_000_000 }, "completed"],
    ["more tokens than any model has", { max_tokens: 1_000_001 }, "INVALID_ARGUMENTS"],
    ["a temperature below none", { temperature: -0.1 }, "INVALID_ARGUMENTS"],
    ["the longest prompt", { prompt: "x".repeat(4 * 1024 * 1024) }, "completed"],
    ["a prompt that is longer", { prompt: "x".repeat(4 * 1024 * 1024), system: "y" }, "INVALID_ARGUMENTS"],
  ])("%s", async (_, input, code) => {
    await using opened = await openInferenceGate();
    expect(codeOf(await opened.infer(input))).toBe(code);
    expect(opened.provider.requests).toHaveLength(code === "completed" ? 1 : 0);
  });

  it.each<[string, JsonObject]>([
    ["the prompt", { prompt: "the key is s3cr3t-0815-s3cr3t." }],
    ["what is told beforehand", { system: "s3cr3t-0815-s3cr3t" }],
    ["both together", { system: "s3cr3t-081", prompt: "5-s3cr3t" }],
    ["Base64", { prompt: Buffer.from("a s3cr3t-0815-s3cr3t b").toString("base64") }],
    ["the provider's own key", { prompt: PROVIDER_KEY }],
  ])("holds a secret of the configuration: %s", async (_, input) => {
    const config = {};
    await using opened = await openInferenceGate(undefined, {
      config: { ...config, secrets: [{ env: "OTHER" }] },
      variables: { OTHER: "s3cr3t-0815-s3cr3t" },
    });
    expect(codeOf(await opened.infer(input))).toBe("EGRESS_BLOCKED");
    expect(opened.provider.requests).toEqual([]);
  });
});
