import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import { emptyMessage, type Fields, fieldBytes, readField, unknownField } from "./fields.ts";
import {
  type OneOf,
  REQUEST_FIELDS,
  RESPONSE_FIELDS,
  RESULTS,
  TOOLS,
  type ToolRequest,
  type ToolResponse,
} from "./messages.ts";
import { delimitedBytes, joined, WIRE_TYPES, WireError, WireReader } from "./wire.ts";

/** A message can be nothing but mistakes, and nobody reads more of them. */
const ERRORS_MAX = 100;

/** Of one message, with some more than it may have, so that the check can say how many. Else one of two bytes each has millions. */
const FIELDS_MAX = 4 * LIMITS.repeatedItems.maximum;

/** Bytes that are no message of this protocol: everything that is wrong with them, as far as they could be read. */
export class DecodeError extends Error {
  readonly errors: readonly InputError[];
  /** Empty where it could not be read. */
  readonly requestId: string;

  constructor(errors: readonly InputError[], requestId: string) {
    super(errors.map(({ message }) => message).join("; "));
    this.name = "DecodeError";
    this.errors = errors;
    this.requestId = requestId;
  }
}

export const encodeToolRequest = (request: ToolRequest): Uint8Array =>
  encoded(request, REQUEST_FIELDS, request.tool, TOOLS);

export const encodeToolResponse = (response: ToolResponse): Uint8Array =>
  encoded(response, RESPONSE_FIELDS, response.result, RESULTS);

/** Throws a `DecodeError`. What it gives is read and not checked yet: see `validateToolRequest`. */
export function decodeToolRequest(bytes: Uint8Array): ToolRequest {
  const { head, member } = decoded(bytes, REQUEST_FIELDS, TOOLS, "tool");
  return { ...head, tool: member };
}

/** Throws a `DecodeError`. */
export function decodeToolResponse(bytes: Uint8Array): ToolResponse {
  const { head, member } = decoded(bytes, RESPONSE_FIELDS, RESULTS, "result");
  return { ...head, result: member };
}

type MemberTable<Members> = {
  readonly [Kind in keyof Members]: { readonly tag: number; readonly fields: Fields<Members[Kind]> };
};

function encoded<Head, Members>(
  head: Head,
  fields: Fields<Head>,
  member: OneOf<Members> | null,
  members: MemberTable<Members>,
): Uint8Array {
  const parts = [...fieldBytes(head, fields)];
  if (member !== null) {
    const { tag, fields: own } = members[member.kind];
    parts.push(...delimitedBytes(tag, joined(fieldBytes(member.value, own))));
  }
  return joined(parts);
}

/** INVARIANT (one tool): decoders keep the last of several; here several are an error, so that none is read over. */
function decoded<Head extends { readonly request_id: string }, Members>(
  bytes: Uint8Array,
  fields: Fields<Head>,
  members: MemberTable<Members>,
  name: string,
): { readonly head: Head; readonly member: OneOf<Members> | null } {
  const head = emptyMessage(fields);
  const errors: InputError[] = [];
  let member: OneOf<Members> | null = null;
  try {
    const reader = new WireReader(bytes);
    for (let count = 0; !reader.isAtEnd && errors.length < ERRORS_MAX; count += 1) {
      const key = nextKey(reader, count);
      const kind = kindOf(key.tag, members);
      if (kind === null) {
        if (!readField(reader, key, head, fields)) errors.push(unknownField(`${key.tag}`, key.tag));
        continue;
      }
      if (key.type !== WIRE_TYPES.delimited) throw new WireError(`\`${String(kind)}\` has another type`);
      const value = message(reader.bytes(), members[kind].fields, String(kind), errors);
      if (member !== null) errors.push(onlyOne(name, String(member.kind), String(kind)));
      member ??= { kind, value } as OneOf<Members>;
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    errors.push({ field: "", rule: "format", message: error.message });
  }
  if (errors.length > 0) throw new DecodeError(errors, head.request_id);
  return { head, member };
}

const onlyOne = (field: string, first: string, second: string): InputError => ({
  field,
  rule: "mutually_exclusive",
  message: `there can be only one \`${field}\`, and there are \`${first}\` and \`${second}\``,
});

function message<Message>(bytes: Uint8Array, fields: Fields<Message>, name: string, errors: InputError[]): Message {
  const reader = new WireReader(bytes);
  const value = emptyMessage(fields);
  for (let count = 0; !reader.isAtEnd && errors.length < ERRORS_MAX; count += 1) {
    const key = nextKey(reader, count);
    if (!readField(reader, key, value, fields)) errors.push(unknownField(`${name}.${key.tag}`, key.tag));
  }
  return value;
}

function nextKey(reader: WireReader, count: number): ReturnType<WireReader["key"]> {
  if (count === FIELDS_MAX) throw new WireError(`a message has at most ${FIELDS_MAX} fields`);
  return reader.key();
}

function kindOf<Members>(tag: number, members: MemberTable<Members>): keyof Members | null {
  for (const kind in members) if (members[kind].tag === tag) return kind;
  return null;
}
