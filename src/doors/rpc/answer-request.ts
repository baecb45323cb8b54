import type { Session } from "../../domain/lease.ts";
import type { Outcome, Refusal } from "../../domain/outcome.ts";
import { callFromRequest } from "../../formats/apm2/call-from-request.ts";
import { DecodeError, decodeToolRequest, encodeToolResponse } from "../../formats/apm2/codec.ts";
import type { ToolRequest, ToolResponse } from "../../formats/apm2/messages.ts";
import { type ValidationError, validateToolRequest } from "../../formats/apm2/validate.ts";
import type { Gate, GateCall } from "../../wiring/gate.ts";
import { deniedFrom, responseFromOutcome } from "./response-from-outcome.ts";

export interface AnswerParts {
  readonly gate: Pick<Gate, "sessions" | "inForce">;
  readonly make: (call: GateCall) => Promise<Outcome>;
  /** Who makes the call, as the door has verified it. Left out: the agent whose session it is. */
  readonly actor?: string;
  /** Where it comes from, for the record of wrong tokens. */
  readonly from?: string;
  /** Why a session may not be used here; null = it may. */
  readonly refusalOf?: (session: Session) => Refusal | null;
}

/** One `ToolRequest` in, one `ToolResponse` out: checked, then held against its session's lease and the rules. */
export async function answerRequest(bytes: Uint8Array, parts: AnswerParts): Promise<Uint8Array> {
  return encodeToolResponse(await answered(bytes, parts));
}

async function answered(bytes: Uint8Array, parts: AnswerParts): Promise<ToolResponse> {
  const read = requestFrom(bytes);
  if ("errors" in read) return denied(read.requestId, malformed(read.errors), parts);
  const { request_id, session_token, dedupe_key: key, tool } = read;
  const checked = await parts.gate.sessions.check(session_token, { from: parts.from ?? "" });
  if (checked.kind === "refused") return denied(request_id, checked.refusal, parts);
  const { session } = checked;
  const refusal = parts.refusalOf?.(session) ?? null;
  if (refusal !== null) return denied(request_id, refusal, parts);
  const { actor = `session:${session.id}` } = parts;
  const outcome = await parts.make({ ...callFromRequest(tool), session, actor, key });
  return await responseFromOutcome(request_id, outcome, { ...saying(parts), hasKey: key !== "" });
}

type ValidRequest = ToolRequest & { readonly tool: NonNullable<ToolRequest["tool"]> };
type Read = ValidRequest | { readonly requestId: string; readonly errors: readonly ValidationError[] };

function requestFrom(bytes: Uint8Array): Read {
  try {
    const { tool, ...request } = decodeToolRequest(bytes);
    const errors = validateToolRequest({ ...request, tool });
    return tool === null || errors.length > 0 ? { requestId: request.request_id, errors } : { ...request, tool };
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

const denied = (request_id: string, refusal: Refusal, parts: AnswerParts): ToolResponse => ({
  request_id,
  result: { kind: "denied", value: deniedFrom(refusal, saying(parts)) },
});

const malformed = (errors: readonly ValidationError[]): Refusal => ({
  code: "INVALID_ARGUMENTS",
  stage: "validate",
  message: errors.length === 1 ? "the request is not valid" : `${errors.length} things are wrong with the request`,
  errors,
});

const saying = ({ gate }: AnswerParts) => ({
  becauseOf: (ruleId: string) => gate.inForce.rules.sources.find(({ id }) => id === ruleId)?.because,
});
