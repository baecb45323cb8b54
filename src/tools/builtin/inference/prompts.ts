import { Buffer } from "node:buffer";
import type { ValidCall } from "../../../domain/call.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { quoted } from "../../../domain/visible.ts";
import type { Evidence } from "../../../ports/artifacts.ts";
import type { Blobs } from "../../../ports/blobs.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { contentNotFound, type Stored, wholeBlob } from "../artifacts/stored-content.ts";
import { textFrom } from "../text-from.ts";
import type { InferInput } from "./infer-input.ts";

export interface PromptPorts {
  readonly blobs: Blobs;
  readonly evidence: Evidence;
  readonly redactor: Redactor;
}

/** What a model is asked, and what it is told beforehand. */
export interface Prompts {
  readonly prompt: string;
  readonly system: string | null;
}

type Call = Pick<ValidCall, "session" | "actor" | "callId" | "project"> & { readonly input: InferInput };

const BYTES_MAX = LIMITS.promptBytes.maximum;

/**
 * The texts, wherever they are. INVARIANT (no secret asked): a text that holds one of the configuration's secrets goes to no
 * model, also one that was stored before the secret was named.
 */
export async function promptsOf(call: Call, ports: PromptPorts): Promise<Stored<Prompts>> {
  const { prompt, prompt_hash, system, system_prompt_hash } = call.input;
  const asked = await textOf(call, prompt, prompt_hash, ports);
  if (!asked.ok) return asked;
  const told = await textOf(call, system, system_prompt_hash, ports);
  if (!told.ok) return told;
  const texts = { prompt: asked.value ?? "", system: told.value };
  if (Buffer.byteLength(texts.prompt) + Buffer.byteLength(texts.system ?? "") > BYTES_MAX)
    return { ok: false, fault: TOO_LONG };
  const secret = secretIn(texts, ports.redactor);
  return secret === null ? { ok: true, value: texts } : { ok: false, fault: holdsSecret(secret) };
}

async function textOf(
  call: Call,
  text: string | undefined,
  hash: string | undefined,
  { blobs, evidence }: PromptPorts,
): Promise<Stored<string | null>> {
  if (hash === undefined) return { ok: true, value: text?.toWellFormed() ?? null };
  const found = evidence.holds(call, hash) ? await wholeBlob(blobs, call.project, hash, BYTES_MAX) : null;
  if (found === null || (!found.ok && found.fault.code === "BLOB_NOT_FOUND"))
    return { ok: false, fault: contentNotFound(hash) };
  if (!found.ok) return found;
  const read = textFrom(found.value);
  return read === null ? { ok: false, fault: notText(hash) } : { ok: true, value: read };
}

/** Both together: what is cut in two is put together by whoever reads both. */
function secretIn({ prompt, system }: Prompts, { certain }: Redactor): string | null {
  const texts = [prompt, ...(system === null ? [] : [system, `${system}${prompt}`])];
  for (const text of texts) {
    const [found] = certain.redactText(text).found;
    if (found !== undefined) return found.rule;
  }
  return null;
}

const TOO_LONG = {
  code: "INVALID_ARGUMENTS",
  message: `the prompts have more than ${BYTES_MAX} bytes`,
  hint: "ask about less at a time",
} as const;

const notText = (hash: string) =>
  ({ code: "NOT_TEXT", message: `what ${quoted(hash)} names is not UTF-8 text` }) as const;

const holdsSecret = (name: string) =>
  ({
    code: "EGRESS_BLOCKED",
    message: `the prompt holds the value of the secret ${quoted(name)}, which no model is sent`,
    hint: "leave it out",
  }) as const;
