import { Buffer } from "node:buffer";
import type { JsonObject } from "../../src/domain/json.ts";
import type { InferenceWire } from "../../src/domain/model-provider.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import type { LeaseSource } from "../../src/wiring/gate.ts";
import { openFakeProvider, PROVIDER_KEY, type Received, type Said } from "../formats/fake-provider.ts";
import { type GateParts, openScratchGate } from "../support/scratch-gate.ts";

export const MAY_ASK: readonly RuleSource[] = [{ id: "models", effect: "allow", touch: { model: ["*/m-*"] } }];
export const SAYS_HELLO: Said = { text: "hello", input: 12, output: 3 };
export const NAMES = ["anthropic", "openai", "openai-compatible"] as const satisfies readonly InferenceWire[];

/** A gate with one provider for each wire, all of them the same server. */
export async function openInferenceGate(script: (request: Received) => Said = () => SAYS_HELLO, parts: GateParts = {}) {
  const provider = await openFakeProvider(script);
  const providers = Object.fromEntries(
    NAMES.map((wire) => [
      wire,
      { wire, url: provider.url(wire), models: ["m-1", "m-2", "x-1"], key: { secret: "KEY" } },
    ]),
  );
  const tools = { builtin: ["inference", "files"], inference: { providers } };
  const scratch = openScratchGate({
    rules: MAY_ASK,
    ...parts,
    config: { tools, ...parts.config },
    variables: { KEY: PROVIDER_KEY, ...parts.variables },
  });
  const infer = (input: JsonObject = {}) =>
    scratch.gate.call({ tool: "infer", input: { provider: "anthropic", model: "m-1", prompt: "hi", ...input } });
  return {
    scratch,
    provider,
    infer,
    [Symbol.asyncDispose]: async () => {
      await scratch[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

export async function agentIn({ gate }: ReturnType<typeof openScratchGate>, lease: Partial<LeaseSource> = {}) {
  const opened = await gate.sessions.open({ tools: "everything", models: ["*"], ...lease });
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { session } = opened;
  const actor = `session:${session.id}`;
  const infer = (input: JsonObject) =>
    gate.call({ tool: "infer", input: { provider: "anthropic", model: "m-1", ...input }, session, actor });
  const put = async (content: string | Uint8Array) => {
    const stored = await gate.blobs.put(chunks(content), { actor, session });
    return stored.kind === "stored" ? stored.hash : JSON.stringify(stored);
  };
  return { infer, put };
}

async function* chunks(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}
