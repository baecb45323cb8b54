import type { JsonObject, JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Leaf } from "./leaf.ts";
import type { AtipArgument, ParameterType } from "./metadata.ts";

/** The arguments of a tool: every parameter of its command, and the program's global options. */
export function inputSchema(leaf: Leaf): JsonObject {
  const parameters = parametersOf(leaf);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((each) => [each.name, parameterSchema(each)])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

export interface Parameter extends AtipArgument {
  readonly isRequired: boolean;
}

/** Arguments have to be there unless they say otherwise, options only if they say so. */
export const parametersOf = (leaf: Leaf): readonly Parameter[] => [
  ...leaf.arguments.map((each) => ({ ...each, isRequired: each.required !== false })),
  ...[...leaf.options, ...leaf.globals].map((each) => ({ ...each, isRequired: each.required === true })),
];

export const isMany = ({ type, variadic }: Pick<AtipArgument, "type" | "variadic">): boolean =>
  variadic === true || type === "array";

const TEXT = { type: "string", maxLength: LIMITS.itemBytes.maximum } as const;

const TYPES = {
  string: TEXT,
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  file: { ...TEXT, minLength: 1 },
  directory: { ...TEXT, minLength: 1 },
  url: { ...TEXT, minLength: 1 },
  enum: TEXT,
  array: TEXT,
} as const satisfies Record<ParameterType, JsonObject>;

const HINTS: Partial<Record<ParameterType, string>> = {
  file: " (file path)",
  directory: " (directory path)",
  url: " (URL)",
};

function parameterSchema(parameter: Parameter): JsonObject {
  const { type, description, isRequired } = parameter;
  const described = { ...defaultOf(parameter), description: `${description}${HINTS[type] ?? ""}` };
  const one = valueSchema(parameter);
  if (!isMany(parameter)) return { ...one, ...described };
  const most = { maxItems: LIMITS.repeatedItems.maximum, ...(isRequired && { minItems: 1 }) };
  return { type: "array", items: one, ...most, ...described };
}

function valueSchema({ type, enum: choices = [] }: Parameter): JsonObject {
  if (choices.length === 0) return TYPES[type];
  const kinds = new Set(choices.map((choice) => typeof choice));
  const only = kinds.size === 1 ? { type: kinds.has("string") ? "string" : "number" } : {};
  return { ...only, enum: [...new Set(choices)] };
}

/** Shown only: the program has its own way of doing without, and no flag is added that the call did not contain. */
function defaultOf({ default: given }: Parameter): { readonly default?: JsonValue } {
  const isShort =
    typeof given === "boolean" || typeof given === "number" || (typeof given === "string" && given !== "");
  return isShort ? { default: given } : {};
}
