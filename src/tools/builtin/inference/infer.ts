import { Buffer } from "node:buffer";
import { type ApprovedCall, type Draft, refuse, type Tool } from "../../../domain/call.ts";
import { factsOf } from "../../../domain/call-facts.ts";
import { digestOf } from "../../../domain/digest.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { ModelProvider } from "../../../domain/model-provider.ts";
import { NOTHING_USED, type RunResult } from "../../../domain/tool.ts";
import type { ToolEffects } from "../../../domain/tool-effects.ts";
import { INFERENCE_FORMATS } from "../../../formats/inference.ts";
import type { Web, WebRequest } from "../../../ports/web.ts";
import type { RuleSet } from "../../../rules/rule-set.ts";
import { makeTool } from "../../make-tool.ts";
import { closedByRule } from "../../operator/closed-by-rule.ts";
import { grantFor } from "../../operator/way-to.ts";
import { failedBy, type Stored } from "../artifacts/stored-content.ts";
import { withCheck } from "../with-check.ts";
import { type Asked, resultOf } from "./answer-result.ts";
import { type InferInput, inferErrors, inferSchema } from "./infer-input.ts";
import { type PromptPorts, type Prompts, promptsOf } from "./prompts.ts";

/** What a provider does with a prompt, nobody here can say. */
const EFFECTS = {
  filesystem: { read: false, write: false, delete: false },
  network: true,
  subprocess: false,
  destructive: false,
  interactive: { stdin: "none", prompts: false, tty: false },
  cost: { estimate: "medium", billable: true },
} as const satisfies ToolEffects;

/** The tool's own time ends before the gate's, so that it says itself how it ended. */
const MORE_MS = 5000;

export interface InferPorts extends PromptPorts {
  readonly web: Web;
  readonly rules: () => Pick<RuleSet, "operatorGrant">;
  readonly nowMs: () => number;
}

type Call = Omit<ApprovedCall, "input"> & { readonly input: InferInput };

/** One question to one model of a provider that the operator has named. */
export function inferTool(
  providers: readonly [ModelProvider, ...ModelProvider[]],
  ports: InferPorts,
): Tool<InferInput> {
  const tool = makeTool<InferInput>({
    definition: definitionOf(providers),
    async plan(call): Promise<Draft> {
      const { input } = call;
      const texts = await promptsOf(call, ports);
      if (!texts.ok) return refuse({ ...shortened(texts.fault), stage: "plan" });
      const { provider, model, max_tokens: tokensMax = LIMITS.tokens.default } = input;
      const { timeoutMs } = providerOf(providers, input);
      const plan = {
        touches: [{ kind: "model", provider, model, tokensMax }],
        operands: [],
        timeoutMs: timeoutMs + MORE_MS,
        ...(isByHash(input) && { preview: async () => inWords(texts.value) }),
      } as const;
      return { kind: "drafted", plan };
    },
    async run(call, signal) {
      const provider = providerOf(providers, call.input);
      const closed = closedByRule(provider.url, ports.rules(), factsOf(call as unknown as ApprovedCall, ports.nowMs));
      if (closed !== null) return unsent({ code: "EGRESS_BLOCKED", message: closed.message, hint: closed.hint });
      const texts = await promptsOf(call, ports);
      if (!texts.ok) return unsent(texts.fault);
      const asked = await keptPrompts(call, texts.value, ports);
      return asked.ok
        ? await answered(call, provider, texts.value, asked.value, ports.web, signal)
        : unsent(asked.fault);
    },
  });
  return withCheck(tool, (input, isSound) => inferErrors(providers, input, isSound));
}

/** `version`: of what providers are, so that what was approved is asked there and nowhere else. */
function definitionOf(providers: readonly ModelProvider[]) {
  const where = providers.map(({ name, wire, url }) => ({ name, wire, url }));
  return {
    name: "infer",
    description:
      "Asks a language model one question and answers with its text. The prompt is given, or named by the BLAKE3 of what you have stored.",
    source: "builtin",
    containment: "process",
    effects: EFFECTS,
    timeoutMs: Math.max(...providers.map(({ timeoutMs }) => timeoutMs)) + MORE_MS,
    inputSchema: inferSchema(providers),
    about: { title: "Ask a model", tags: [], examples: [], version: digestOf(where).slice(0, 12) },
  } as const;
}

function providerOf(providers: readonly ModelProvider[], { provider }: InferInput): ModelProvider {
  const found = providers.find(({ name }) => name === provider);
  if (found === undefined) throw new TypeError("the schema lets no other provider through");
  return found;
}

/** The prompts are kept, and the ledger names them, before anybody else is told of them. */
async function keptPrompts(
  call: Call,
  { prompt, system }: Prompts,
  { blobs, evidence }: PromptPorts,
): Promise<Stored<Asked>> {
  const { provider, model } = call.input;
  const kept = await blobs.put(call.project, Buffer.from(prompt));
  if (!kept.ok) return kept;
  const told = system === null ? null : await blobs.put(call.project, Buffer.from(system));
  if (told?.ok === false) return told;
  const { hash: blob, bytes } = kept.value;
  const systemBlob = told?.value.hash;
  const body = { blob, bytes, callId: call.callId, model, provider, ...(systemBlob && { systemBlob }) };
  const untold = await evidence.tell(call, "evidence.prompt", body);
  if (untold !== null) return { ok: false, fault: untold };
  evidence.keep(call, blob);
  return {
    ok: true,
    value: { provider, model, prompt_hash: blob, ...(systemBlob && { system_prompt_hash: systemBlob }) },
  };
}

/** INVARIANT (the operator's host): one request to the address of the configuration, and no redirect. */
async function answered(
  { input }: Call,
  { wire, url, key, timeoutMs }: ModelProvider,
  { prompt, system }: Prompts,
  asked: Asked,
  web: Web,
  signal: AbortSignal,
): Promise<RunResult> {
  const format = INFERENCE_FORMATS[wire];
  const { model, max_tokens: tokensMax = LIMITS.tokens.default, temperature = null } = input;
  const question = { model, prompt, system, tokensMax, temperature };
  const request: WebRequest = {
    url: `${url}${format.path}`,
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...format.headers(question) },
    secretHeader: key === null ? undefined : { ...format.keyHeader, secret: key },
    body: Buffer.from(JSON.stringify(format.body(question))),
    bytesMax: LIMITS.inferenceAnswerBytes.default,
    redirectsMax: 0,
    timeoutMs,
  };
  return resultOf(await web.fetch(request, grantFor(url), signal), format, asked);
}

const isByHash = ({ prompt_hash, system_prompt_hash }: InferInput): boolean =>
  (prompt_hash ?? system_prompt_hash) !== undefined;

/** INVARIANT (shown = sent): who approves a hash reads what it stands for. */
const inWords = ({ prompt, system }: Prompts): string =>
  `${system === null ? "" : `Told beforehand:\n${system}\n\n`}Asked:\n${prompt}\n`;

/** What fails before anybody is asked takes nothing of a budget. */
const unsent = (fault: Parameters<typeof failedBy>[0]): RunResult => ({ ...failedBy(fault), usage: NOTHING_USED });

/** A refusal has no details. */
const shortened = ({ code, message, hint }: Extract<Stored<never>, { ok: false }>["fault"]) => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
});
