import { LIMITS } from "../../../domain/limits.ts";
import type { InputError } from "../../../domain/outcome.ts";
import { quoted } from "../../../domain/visible.ts";
import { inputError, type Sound } from "../with-check.ts";

export type PublishInput = {
  readonly artifact_id: string;
  readonly category: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly content_hash?: string;
  readonly text?: string;
  readonly path?: string;
};

export type FetchInput = {
  readonly artifact_id?: string;
  readonly content_hash?: string;
  readonly expected_hash?: string;
  readonly max_bytes?: number;
  readonly format?: "text" | "base64";
};

const ID = { type: "string", minLength: 1, maxLength: LIMITS.idLength.maximum } as const;
const HASH = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

/** The limits are those of the APM2 seed. */
export const PUBLISH_SCHEMA = {
  type: "object",
  properties: {
    artifact_id: { ...ID, description: "the name that it is published under, for good" },
    category: { ...ID, description: "what kind of thing it is, such as `test_results`" },
    metadata: {
      type: "object",
      additionalProperties: { type: "string", maxLength: LIMITS.itemBytes.maximum },
      maxProperties: LIMITS.repeatedItems.maximum,
      description: "what else there is to say about it, by name",
    },
    content_hash: { ...HASH, description: "BLAKE3 of content that you have stored, or that came of your calls" },
    text: { type: "string", maxLength: LIMITS.writeBytes.maximum, description: "the content itself" },
    path: { type: "string", minLength: 1, description: "the file that is the content" },
  },
  required: ["artifact_id", "category"],
  additionalProperties: false,
} as const;

export const FETCH_SCHEMA = {
  type: "object",
  properties: {
    artifact_id: { ...ID, description: "the name that it was published under" },
    content_hash: { ...HASH, description: "BLAKE3 of its content, instead of its name or beside it" },
    expected_hash: { ...HASH, description: "fail if its content has another BLAKE3" },
    max_bytes: {
      type: "integer",
      minimum: 1,
      maximum: LIMITS.blobBytes.maximum,
      description: `fail if its content has more, ${LIMITS.resultBytes.default} if not given`,
    },
    format: { enum: ["text", "base64"], description: "left out: text where it is one" },
  },
  additionalProperties: false,
} as const;

const SOURCES = ["content_hash", "text", "path"] as const satisfies readonly (keyof PublishInput)[];

/** What the schema can't say. */
export function publishErrors(
  input: Sound<PublishInput>,
  isSound: (name: keyof PublishInput) => boolean,
): readonly InputError[] {
  const given = SOURCES.filter((name) => input[name] !== undefined);
  const [, second] = given;
  return [
    ...(given.length === 0 && SOURCES.every(isSound)
      ? [inputError("content_hash", "required", "one of `content_hash`, `text` and `path` says what is published")]
      : []),
    ...(second === undefined
      ? []
      : [inputError(second, "mutually_exclusive", `\`${given.join("` and `")}\` can't be given together`)]),
    ...Object.entries(input.metadata ?? {}).flatMap(([name, value]) => pairError(name, value)),
  ];
}

/** As `NAME=VALUE`, which is how the protocol carries it. */
function pairError(name: string, value: string): readonly InputError[] {
  if (name === "" || name.includes("="))
    return [inputError("metadata", "format", `${quoted(name)} can't be a name: it is empty or holds a \`=\``)];
  return Buffer.byteLength(name) + Buffer.byteLength(value) + 1 > LIMITS.itemBytes.maximum
    ? [inputError("metadata", "max_size", `${quoted(name)} has more than ${LIMITS.itemBytes.maximum} bytes`)]
    : [];
}

export const fetchErrors = (
  { artifact_id, content_hash }: Sound<FetchInput>,
  isSound: (name: keyof FetchInput) => boolean,
): readonly InputError[] =>
  artifact_id === undefined && content_hash === undefined && isSound("artifact_id") && isSound("content_hash")
    ? [inputError("artifact_id", "required", "`artifact_id` or `content_hash` says which artifact is meant")]
    : [];
