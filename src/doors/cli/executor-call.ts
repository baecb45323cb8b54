import { Buffer } from "node:buffer";
import type { ToolgateClient } from "../../client/connect.ts";
import { type ClientArgv, clientArgv } from "../../domain/client-argv.ts";
import type { ClientToolSpec } from "../../domain/client-tool.ts";
import { digestOf } from "../../domain/digest.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import type { LocalEnd } from "../../wiring/run-locally.ts";

/** A signal as far as it can be believed before anybody was asked: texts, and no more. */
export interface HeardSignal {
  readonly callId: string;
  readonly tool: string;
  readonly token: string;
  readonly planDigest: string;
  readonly paramsDigest: string;
}

/** Null: it is none. */
export function signalFrom(data: Readonly<Record<string, unknown>>): HeardSignal | null {
  const text = (name: string): string => (typeof data[name] === "string" ? data[name] : "");
  const signal = {
    callId: text("tool_id"),
    tool: text("tool_name"),
    token: text("dispatch_token"),
    planDigest: text("plan_digest"),
    paramsDigest: text("params_digest"),
  };
  return Object.values(signal).includes("") ? null : signal;
}

/** Why what was heard is not what the server has on record; null = it is. */
export async function whyNotRecorded(signal: HeardSignal, client: ToolgateClient): Promise<string | null> {
  const record = await client.showExecution({ execution_id: signal.callId });
  if (record.tool_name !== signal.tool) return "the signal names another tool than the call";
  if (record.plan_digest !== signal.planDigest) return "the signal is for another plan than the one that was judged";
  if (record.params_digest !== signal.paramsDigest) return "the signal has other arguments than those that were judged";
  return record.status === "APPROVED" ? null : `the call is ${record.status}, and nobody's to begin`;
}

/** Says that it begins. What comes back is the call whole, and has to be what the record says. */
export async function taken(
  signal: HeardSignal,
  client: ToolgateClient,
): Promise<{ readonly input: JsonObject; readonly timeoutMs: number } | { readonly refused: string }> {
  const { callId: tool_id, token: dispatch_token } = signal;
  const answer = await client.acknowledgeTool({ tool_id, dispatch_token });
  const { tool_params: input, plan_digest: planDigest, timeout_seconds: seconds } = answer;
  const isSame = planDigest === signal.planDigest && isJsonObject(input as JsonObject) && seconds > 0;
  if (!isSame || digestOf(input) !== signal.paramsDigest)
    return { refused: "what came with the acknowledgement is not what was judged" };
  return { input: input as JsonObject, timeoutMs: seconds * 1000 };
}

/** The command, if the arguments fit the executor's own definition too. */
export function commandFor({ command, unfitHeads, inputSchema }: ClientToolSpec, input: JsonObject): ClientArgv {
  if (command === null) return { ok: false, message: "this executor has no command for the tool" };
  const compiled = compileSchema(inputSchema);
  if ("problem" in compiled) return { ok: false, message: compiled.problem.message };
  const [wrong] = compiled.check(input);
  return wrong === undefined ? clientArgv(command, unfitHeads, input) : { ok: false, message: wrong.message };
}

/** Room for the token. */
const RESULT_BYTES_MAX = LIMITS.executorResultBytes.default - 1024;

/**
 * What is sent of how it ended. More than is taken is not cut here: only the server knows which secrets to take out before
 * that, and of one that is cut in two the head would stay.
 */
export function resultBody(end: LocalEnd) {
  const body = wholeBody(end);
  if (Buffer.byteLength(JSON.stringify(body)) <= RESULT_BYTES_MAX) return body;
  const ended = end.kind === "exited" ? `it ended with exit code ${end.exitCode}` : end.message;
  const error = `${ended}, and what it printed is more than the ${RESULT_BYTES_MAX} bytes that a result may have`;
  return { status: "failed" as const, error, result: end.kind === "exited" ? { exit_code: end.exitCode } : {} };
}

const wholeBody = (end: LocalEnd) =>
  end.kind === "exited"
    ? {
        status: "completed" as const,
        result: { success: end.exitCode === 0, stdout: end.stdout, stderr: end.stderr, exit_code: end.exitCode },
      }
    : { status: "failed" as const, error: end.message, result: { stdout: end.stdout, stderr: end.stderr } };
