import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";

const TEXT = { type: "string", maxLength: LIMITS.itemBytes.maximum, "x-unit": "codepoints" } as const;
const TEXTS = { type: "array", maxItems: LIMITS.repeatedItems.maximum, items: TEXT } as const;

/** One server under `tools.mcp`. Its maps (`env`, `headers`, `touches`) are looked at by hand. */
export const UPSTREAM_SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    command: { description: "The program to start, in the sandbox. Either this or `url`.", minLength: 1, ...TEXT },
    args: { description: "Its arguments.", ...TEXTS },
    cwd: { description: "The folder to start it in, relative to this file. Left out: the workspace.", ...TEXT },
    env: { description: "Variables for it: texts, or `{ secret: NAME }`.", type: "object" },
    url: { description: "Where it is, if it is reached by HTTP.", minLength: 1, ...TEXT },
    headers: { description: "Headers for it: texts, or `{ secret: NAME, prefix: 'Bearer ' }`.", type: "object" },
    grant: {
      description: "What its process may do: patterns of paths and hosts. The workspace it may read.",
      type: "object",
      additionalProperties: false,
      properties: { read: TEXTS, write: TEXTS, connect: TEXTS },
    },
    touches: {
      description: "Which inputs of its tools name files or hosts: `{ TOOL: { write: [path] } }`, `*` = every tool.",
      type: "object",
    },
    trust: { description: "How far its word is taken.", enum: ["vendor", "org", "community", "user"] },
    timeoutMs: {
      description: "How long a call may take.",
      type: "integer",
      default: 60_000,
      minimum: LIMITS.toolTimeoutMs.minimum,
      maximum: LIMITS.toolTimeoutMs.maximum,
      "x-unit": "ms",
      "x-because": LIMITS.toolTimeoutMs.because,
    },
    prefix: { description: "In front of its tools' names. Left out: its own name and `_`.", ...TEXT },
    connection: {
      description: "One for everybody, or one for each session, where the server remembers what it was told.",
      enum: ["shared", "session"],
      default: "shared",
    },
  },
} as const satisfies JsonObject;

export interface RawUpstream {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: JsonObject;
  readonly url?: string;
  readonly headers?: JsonObject;
  readonly grant?: {
    readonly read?: readonly string[];
    readonly write?: readonly string[];
    readonly connect?: readonly string[];
  };
  readonly touches?: JsonObject;
  readonly trust?: "vendor" | "org" | "community" | "user";
  readonly timeoutMs?: number;
  readonly prefix?: string;
  readonly connection?: "shared" | "session";
}
