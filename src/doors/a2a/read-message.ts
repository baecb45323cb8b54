import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import { type Checked, checker, invalid } from "./checked-params.ts";

const ID = { type: "string", maxLength: LIMITS.idLength.maximum } as const;
const NAME = { ...ID, minLength: 1 } as const;

const SEND = {
  type: "object",
  required: ["message"],
  properties: {
    message: {
      type: "object",
      required: ["messageId", "role", "parts"],
      properties: {
        messageId: NAME,
        contextId: ID,
        taskId: ID,
        role: { enum: ["ROLE_USER"] },
        parts: { type: "array", minItems: 1, items: { type: "object", properties: { mediaType: ID } } },
      },
    },
    configuration: {
      type: "object",
      properties: {
        returnImmediately: { type: "boolean" },
        historyLength: { type: "integer", minimum: 0 },
        acceptedOutputModes: { type: "array", items: ID },
        taskPushNotificationConfig: { type: "object" },
      },
    },
  },
} as const;

const CALL = {
  type: "object",
  additionalProperties: false,
  properties: { tool: NAME, skill: NAME, input: {} },
} as const;

const SEED_CALLS = {
  type: "object",
  additionalProperties: false,
  required: ["toolCalls"],
  properties: {
    toolCalls: {
      type: "array",
      minItems: 1,
      maxItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["toolId"],
        properties: { id: ID, toolId: NAME, parameters: {} },
      },
    },
  },
} as const;

const ANSWER = {
  type: "object",
  additionalProperties: false,
  required: ["answer"],
  properties: {
    answer: { enum: ["approve", "reject"] },
    reason: { type: "string", maxLength: LIMITS.answerLength.maximum },
    planDigest: ID,
  },
} as const;

const [checkSend, checkCall, checkSeedCalls, checkAnswer] = [
  checker(SEND),
  checker(CALL),
  checker(SEED_CALLS),
  checker(ANSWER),
] as const;

/** What a message says. */
export type Meaning =
  | { readonly kind: "call"; readonly tool: string; readonly input: JsonValue }
  | {
      readonly kind: "answer";
      readonly answer: "approve" | "reject";
      readonly reason?: string;
      readonly planDigest?: string;
    };

export interface ReadMessage {
  readonly meaning: Meaning;
  /** Left out: not said. An empty text says nothing. */
  readonly contextId?: string;
  readonly taskId?: string;
  readonly returnImmediately: boolean;
  readonly wantsPush: boolean;
}

/** The parameters of SendMessage and SendStreamingMessage. */
export function readMessage(params: JsonValue): Checked<ReadMessage> {
  const sent = checkSend(params);
  if (!sent.ok) return sent;
  const { message, configuration = {} } = sent.value;
  const meaning = meaningOf(message.parts);
  if (!meaning.ok) return meaning;
  const { contextId = "", taskId = "" } = message;
  return {
    ok: true,
    value: {
      meaning: meaning.value,
      ...(contextId !== "" && { contextId }),
      ...(taskId !== "" && { taskId }),
      returnImmediately: configuration.returnImmediately ?? false,
      wantsPush: configuration.taskPushNotificationConfig !== undefined,
    },
  };
}

/** INVARIANT (nothing passed over): what can't be read as a call or an answer is refused, also beside one that can. */
function meaningOf(parts: readonly JsonObject[]): Checked<Meaning> {
  const foreign = parts.flatMap((part, at) => (isData(part) ? [] : [notData(at)]));
  if (foreign.length > 0) {
    const message = "a message is one `data` part: no agent is here that reads texts or files";
    return { ok: false, error: { reason: "CONTENT_TYPE_NOT_SUPPORTED", message, hint: HINT, errors: foreign } };
  }
  const [first, ...more] = parts;
  if (first === undefined || more.length > 0)
    return invalid([{ field: "message.parts", rule: "maxItems", message: "a task is one call: send one part" }]);
  const data = first["data"] ?? null;
  const where = "message.parts[0].data";
  if (isJsonObject(data) && "answer" in data) return answerIn(data, where);
  return isJsonObject(data) && "toolCalls" in data ? seedCallIn(data, where) : callIn(data, where);
}

function callIn(data: JsonValue, where: string): Checked<Meaning> {
  const checked = checkCall(data, where);
  if (!checked.ok) return checked;
  const { tool, skill, input = {} } = checked.value;
  const name = tool ?? skill;
  if (name === undefined || (tool !== undefined && skill !== undefined))
    return invalid([{ field: where, rule: "oneOf", message: "name one `tool`, or one `skill`, which is the same" }]);
  return { ok: true, value: { kind: "call", tool: name, input } };
}

/** As the A2A-ACP seed writes them. */
function seedCallIn(data: JsonObject, where: string): Checked<Meaning> {
  const checked = checkSeedCalls(data, where);
  if (!checked.ok) return checked;
  const [call] = checked.value.toolCalls;
  return { ok: true, value: { kind: "call", tool: call?.toolId ?? "", input: call?.parameters ?? {} } };
}

function answerIn(data: JsonObject, where: string): Checked<Meaning> {
  const checked = checkAnswer(data, where);
  return checked.ok ? { ok: true, value: { kind: "answer", ...checked.value } } : checked;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:;|$)/i;

function isData(part: JsonObject): boolean {
  const { mediaType = "" } = part as { readonly mediaType?: string };
  const isOther = "text" in part || "raw" in part || "url" in part;
  return "data" in part && !isOther && (mediaType === "" || JSON_TYPE.test(mediaType));
}

const notData = (at: number): InputError => ({
  field: `message.parts[${at}]`,
  rule: "mediaType",
  message: "this part is not `data` of the type `application/json`",
});

const HINT = 'send {"data": {"tool": "NAME", "input": {}}}; the extended agent card lists the tools';
