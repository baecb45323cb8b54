import { Buffer } from "node:buffer";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { FeedbackStatus, GovernorSays } from "../../domain/feedback.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { compileCheck } from "../../schema/compile-schema.ts";
import { fieldFromPath } from "../../schema/field-from-path.ts";
import type { JsonReading } from "../../schema/json/read-json.ts";

const STATUSES = ["approve", "reject", "needs_attention", "error"] as const satisfies readonly FeedbackStatus[];

/** What is not here is ignored; null is what some writers of JSON make of a member that is not there. */
const ANSWER_SCHEMA = {
  type: "object",
  required: ["status"],
  properties: {
    status: { enum: STATUSES },
    optionId: { type: ["string", "null"], maxLength: LIMITS.governorOptionLength.maximum },
    score: { type: ["number", "null"] },
    messages: { type: ["array", "null"], items: { type: "string" } },
    followUpPrompt: { type: ["string", "null"] },
    metadata: { type: ["object", "null"] },
  },
} as const satisfies JsonObject;

interface Answer {
  readonly status: FeedbackStatus;
  readonly optionId?: string | null;
  readonly score?: number | null;
  readonly messages?: readonly string[] | null;
  readonly metadata?: JsonObject | null;
}

/** Nothing that could be understood, and what to do about it. */
export const errorSays = (message: string, hint: string): GovernorSays => ({
  status: "error",
  messages: [`${message} (${hint})`],
});

const HINT = 'it answers with one JSON object, such as `{"status":"approve"}`';

/** What was read of its answer, as what it says. Whatever is wrong with it is an `error`. */
export function saysFrom(reading: JsonReading): GovernorSays {
  if (!reading.ok) {
    const { message, line, column } = reading.error;
    return errorSays(`its answer is no JSON: ${message}, at ${line}:${column}`, HINT);
  }
  const compiled = compileCheck(ANSWER_SCHEMA);
  if ("unsupported" in compiled) throw new TypeError(`the schema of answers uses \`${compiled.unsupported}\``);
  const [wrong] = compiled.check(reading.value);
  if (wrong !== undefined) {
    const subject = wrong.path.length === 0 ? "its answer" : `\`${fieldFromPath(wrong.path)}\` of its answer`;
    return errorSays(`${subject} ${wrong.says}`, HINT);
  }
  // The cast is what the schema has found out.
  const { status, optionId, score, messages, metadata } = reading.value as unknown as Answer;
  return {
    status,
    messages: messages ?? [],
    ...(typeof optionId === "string" && { optionId }),
    ...(typeof score === "number" && { score }),
    ...(metadata && { metadata }),
  };
}

/** The same in a length that people read and the ledger keeps. Secrets are taken out before: half of one is not found. */
export const shortened = ({ messages, metadata, ...says }: GovernorSays): GovernorSays => ({
  ...says,
  messages: messages.slice(0, LIMITS.governorMessages.maximum).map(shortText),
  ...(metadata && isShort(metadata) && { metadata }),
});

function shortText(text: string): string {
  const { maximum } = LIMITS.governorMessageLength;
  // A character has two units at the most: one that is cut in half here is beyond the last that is kept.
  const characters = [...text.slice(0, 2 * maximum + 2)];
  return characters.length <= maximum ? text : `${characters.slice(0, maximum - 1).join("")}…`;
}

const isShort = (metadata: JsonObject): boolean =>
  Buffer.byteLength(canonicalJson(metadata)) <= LIMITS.governorMetadataBytes.maximum;
