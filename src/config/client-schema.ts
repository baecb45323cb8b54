import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { ToolEffects } from "../domain/tool-effects.ts";
import type { InputTouches } from "../domain/upstream.ts";
import { EFFECTS } from "./scripts-schema.ts";

const WORD = { type: "string", maxLength: LIMITS.itemBytes.maximum, "x-unit": "codepoints" } as const;

/** One tool under `tools.client`. Its schema and its map of inputs are looked at by hand. */
export const CLIENT_TOOL_SCHEMA = {
  type: "object",
  required: ["description", "inputSchema"],
  additionalProperties: false,
  properties: {
    description: { description: "What it does, for models and people.", type: "string", minLength: 1, maxLength: 4096 },
    inputSchema: { description: "What it takes, as JSON Schema.", type: "object" },
    timeoutMs: {
      description: "How long its executor may take.",
      type: "integer",
      default: LIMITS.toolTimeoutMs.default,
      minimum: LIMITS.toolTimeoutMs.minimum,
      maximum: LIMITS.toolTimeoutMs.maximum,
      "x-unit": "ms",
      "x-because": LIMITS.toolTimeoutMs.because,
    },
    effects: EFFECTS,
    touches: {
      description:
        "Which inputs name files or hosts (`{ write: [path] }`), or a program and its arguments (`{ exec: [command, args] }`).",
      type: "object",
    },
    trust: { description: "How far its word is taken.", enum: ["vendor", "org", "community", "user"] },
    command: {
      description:
        "For `toolgate executor`: the program and its arguments, without a shell; `{path}` is the input `path` as one word.",
      type: "array",
      minItems: 1,
      maxItems: LIMITS.repeatedItems.maximum,
      items: WORD,
    },
  },
} as const satisfies JsonObject;

export interface RawClientTool {
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly timeoutMs?: number;
  readonly effects?: ToolEffects;
  readonly touches?: InputTouches & { readonly exec?: readonly string[] } & JsonObject;
  readonly trust?: "vendor" | "org" | "community" | "user";
  readonly command?: readonly [string, ...string[]];
}
