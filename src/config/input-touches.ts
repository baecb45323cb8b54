import { isJsonObject, type JsonValue } from "../domain/json.ts";
import { type InputTouches, MAPPED_KINDS } from "../domain/upstream.ts";

export const INPUT_TOUCHES = `it names inputs for ${MAPPED_KINDS.join(", ")}, and nothing else`;

/** Whether it says which inputs of a tool name what. */
export const isInputTouches = (value: JsonValue): value is JsonValue & InputTouches =>
  isJsonObject(value) && Object.entries(value).every(([kind, names]) => isKind(kind) && isNames(names));

const isKind = (kind: string): boolean => (MAPPED_KINDS as readonly string[]).includes(kind);

export const isNames = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
