import { describe, expect, it } from "vitest";
import type { LeaseSource } from "../../src/wiring/gate.ts";
import { PROVIDER_KEY, type Said } from "../formats/fake-provider.ts";
import { asKind, codeOf, openScratchGate } from "../support/scratch-gate.ts";
import { agentIn, MAY_ASK, NAMES, openInferenceGate, SAYS_HELLO } from "./inference-gate.ts";

describe("a provider that does not answer", () => {
  const error = (message: string) => ({ error: { message } });

  it.each<[string, Said, { code: string; retryable: boolean; retryAfterMs?: number }]>([
    ["a wrong question", { status: 400, body: error("bad") }, { code: "MODEL_REFUSED", retryable: false }],
    ["a wrong key", { status: 401, body: error("key") }, { code: "MODEL_REFUSED", retryable: false }],
    ["no JSON", { status: 404, body: "?" }, { code: "MODEL_REFUSED", retryable: false }],
    ["somewhere else", { status: 302, headers: { location: "/x" } }, { code: "MODEL_REFUSED", retryable: false }],
    ["too many questions", { status: 429, body: error("slow") }, { code: "MODEL_UNAVAILABLE", retryable: true }],
    [
      "too many, and when it may be asked again",
      { status: 429, headers: { "retry-after": "7" } },
      { code: "MODEL_UNAVAILABLE", retryable: true, retryAfterMs: 7000 },
    ],
    ["its own mistake", { status: 500, body: error("oh") }, { code: "MODEL_UNAVAILABLE", retryable: true }],
    ["too much to do", { status: 529 }, { code: "MODEL_UNAVAILABLE", retryable: true }],
    ["an answer that is none", { raw: "{}" }, { code: "BAD_RESPONSE", retryable: false }],
    ["an answer that is no JSON", { raw: "<html>" }, { code: "BAD_RESPONSE", retryable: false }],
    ["half an answer", "breaks-off", { code: "BAD_RESPONSE", retryable: false }],
  ])("says %s, and is asked once", async (_, said, expected) => {
    for (const provider of NAMES) {
      await using opened = await openInferenceGate(() => said);
      const { error: found } = asKind(await opened.infer({ provider }), "failed");
      expect(found).toMatchObject(expected);
      expect(opened.provider.requests).toHaveLength(1);
    }
  });

  it("ends unknown where it was asked and says nothing, whoever gives up", async () => {
    await using dropped = await openInferenceGate(() => "drops");
    expect(asKind(await dropped.infer(), "unknown").error).toMatchObject({ code: "OUTCOME_UNKNOWN", retryable: false });
    expect(dropped.provider.requests).toHaveLength(1);
    const stop = new AbortController();
    await using hung = await openInferenceGate(() => {
      stop.abort();
      return "hangs";
    });
    const input = { provider: "anthropic", model: "m-1", prompt: "hi" };
    expect(codeOf(await hung.scratch.gate.call({ tool: "infer", input }, { signal: stop.signal }))).toBe(
      "OUTCOME_UNKNOWN",
    );
    const providers = {
      slow: {
        wire: "anthropic",
        url: hung.provider.url("anthropic"),
        models: ["m-1"],
        key: { secret: "KEY" },
        timeoutMs: 1000,
      },
    };
    await using late = openScratchGate({
      rules: MAY_ASK,
      config: { tools: { builtin: ["inference"], inference: { providers } } },
      variables: { KEY: PROVIDER_KEY },
    });
    expect(codeOf(await late.gate.call({ tool: "infer", input: { ...input, provider: "slow" } }))).toBe(
      "OUTCOME_UNKNOWN",
    );
  });

  it("can be asked again where nothing was sent", async () => {
    const opened = await openInferenceGate();
    await using _ = opened;
    await opened.provider[Symbol.asyncDispose]();
    expect(asKind(await opened.infer(), "failed").error).toMatchObject({ code: "CONNECT_FAILED", retryable: true });
  });
});

describe("a budget of tokens", () => {
  const LIMIT: Partial<LeaseSource> = { budget: { tokens: 100 } };
  const asks = { prompt: "hi", max_tokens: 20 };

  it("is held before the model is asked, and takes what the provider reports", async () => {
    await using opened = await openInferenceGate(() => ({ text: "x", input: 30, output: 5, cached: 15 }));
    const one = await agentIn(opened.scratch, LIMIT);
    expect(codeOf(await one.infer({ ...asks, max_tokens: 101 }))).toBe("BUDGET_EXCEEDED");
    expect(opened.provider.requests).toEqual([]);
    // 50 of 100: what came out of a cache was read, too.
    expect(asKind(await one.infer(asks), "completed").budgetConsumed).toBe(50);
    expect(codeOf(await one.infer({ ...asks, max_tokens: 51 }))).toBe("BUDGET_EXCEEDED");
    expect(codeOf(await one.infer({ ...asks, max_tokens: 50 }))).toBe("completed");
    expect(codeOf(await one.infer({ ...asks, max_tokens: 1 }))).toBe("BUDGET_EXCEEDED");
  });

  it("is not used up by a refusal, and is by an answer that nobody can read", async () => {
    const answers: Said[] = [{ status: 429 }, { status: 400 }, { status: 503 }, SAYS_HELLO, { raw: "{}" }];
    let asked = 0;
    await using opened = await openInferenceGate(() => answers[asked++] ?? SAYS_HELLO);
    const one = await agentIn(opened.scratch, LIMIT);
    const codes: string[] = [];
    for (let i = 0; i < 6; i++) codes.push(codeOf(await one.infer(asks)));
    expect(codes).toEqual([
      ...["MODEL_UNAVAILABLE", "MODEL_REFUSED", "MODEL_UNAVAILABLE", "completed", "BAD_RESPONSE", "BUDGET_EXCEEDED"],
    ]);
  });

  it("of cost counts by the prices of the configuration", async () => {
    const prices = [{ model: "anthropic/*", input: 2, output: 5 }];
    const opened = await openInferenceGate(() => ({ text: "x", input: 10, output: 4 }), { config: {} });
    await using _ = opened;
    const { provider } = opened;
    const providers = {
      anthropic: { wire: "anthropic", url: provider.url("anthropic"), models: ["m-1"], key: { secret: "KEY" } },
    };
    await using priced = openScratchGate({
      rules: MAY_ASK,
      config: { prices, tools: { builtin: ["inference"], inference: { providers } } },
      variables: { KEY: PROVIDER_KEY },
    });
    const one = await agentIn(priced, { budget: { costMicros: 80 } });
    expect(codeOf(await one.infer(asks))).toBe("completed");
    expect(priced.entries().findLast(({ kind }) => kind === "tool.executed")?.body["spent"]).toMatchObject({
      tokens: 14,
      costMicros: 40,
    });
    expect(codeOf(await one.infer(asks))).toBe("completed");
    expect(codeOf(await one.infer(asks))).toBe("BUDGET_EXCEEDED");
  });

  it("does not help who may ask no such model", async () => {
    await using opened = await openInferenceGate();
    const one = await agentIn(opened.scratch, { models: ["openai/*"] });
    expect(codeOf(await one.infer(asks))).toBe("LEASE_SCOPE");
    expect(codeOf(await one.infer({ ...asks, provider: "openai" }))).toBe("completed");
  });
});

describe("without providers", () => {
  it("there is no such tool, and the answer says what is missing", async () => {
    await using scratch = openScratchGate({ rules: MAY_ASK, config: { tools: { builtin: ["inference"] } } });
    const { refusal } = asKind(await scratch.gate.call({ tool: "infer", input: {} }), "refused");
    expect(refusal.code).toBe("TOOL_UNKNOWN");
    expect(refusal.hint).toContain("`tools.inference.providers`");
  });
});
