import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";

const PATTERNS_MAX = 1000;
const RULES_MAX = 10_000;

const PATH_PATTERNS = {
  type: "array",
  minItems: 1,
  maxItems: PATTERNS_MAX,
  "x-unit": "count",
  "x-because": "each pattern is tried on each touch of its kind; a longer list is a folder that wants a pattern",
  items: {
    type: "string",
    minLength: 1,
    maxLength: LIMITS.pathBytes.maximum,
    "x-unit": "codepoints",
    "x-because": LIMITS.pathBytes.because,
  },
} as const;

const RULE = {
  type: "object",
  required: ["id", "effect"],
  additionalProperties: false,
  properties: {
    id: {
      description: "The rule's name: in refusals, in questions and in the ledger.",
      type: "string",
      minLength: 1,
      maxLength: 100,
      "x-unit": "codepoints",
      "x-because": "it is shown on one line",
    },
    effect: { description: "What the rule says; the strictest rule wins.", enum: ["allow", "ask", "deny"] },
    tools: {
      description: "Names of tools, `*` for any characters. Left out: every tool.",
      type: "array",
      minItems: 1,
      maxItems: PATTERNS_MAX,
      "x-unit": "count",
      "x-because": "a longer list is a name that wants a pattern",
      items: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        "x-unit": "codepoints",
        "x-because": "no tool has a longer name",
      },
    },
    touch: {
      description: "What the call would do. Left out: everything, but an allow rule covers `unknown` only by name.",
      type: "object",
      additionalProperties: false,
      properties: {
        read: { description: "Files that are read.", ...PATH_PATTERNS },
        write: { description: "Files that are written or made.", ...PATH_PATTERNS },
        delete: { description: "Files that are deleted.", ...PATH_PATTERNS },
        unknown: { description: "What the gate could not work out beforehand.", const: true },
      },
    },
    otherwise: { description: "Speaks only for touches that no other rule covers.", type: "boolean", default: false },
    because: {
      description: "The reason, for whoever is refused or asked.",
      type: "string",
      maxLength: 500,
      "x-unit": "codepoints",
      "x-because": "it stands in every refusal; a longer reason is a document",
    },
  },
} as const;

const PATH = { type: "string", minLength: 1, maxLength: LIMITS.pathBytes.maximum, "x-unit": "codepoints" } as const;

/** All of `toolgate.yaml`: the one place that knows its shape, its defaults and its limits. */
export const CONFIG_SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    workspace: {
      description: "The folder that `./` means in rules. Relative to this file.",
      default: ".",
      ...PATH,
      "x-because": LIMITS.pathBytes.because,
    },
    state: {
      description: "Where the ledger and the state of calls are kept. Relative to this file. Closed to all tools.",
      default: ".toolgate",
      ...PATH,
      "x-because": LIMITS.pathBytes.because,
    },
    tools: {
      description: "Which tools there are.",
      type: "object",
      additionalProperties: false,
      properties: {
        builtin: {
          description: "Sets of tools that the gate brings along.",
          type: "array",
          items: { enum: ["files"] },
          default: ["files"],
        },
      },
    },
    rules: {
      description: "What calls may touch. What no rule covers is denied.",
      type: "array",
      default: [],
      maxItems: RULES_MAX,
      "x-unit": "count",
      "x-because": "a decision looks at every rule of its kind of touch",
      items: RULE,
    },
    sandbox: {
      description: "How programs are held in.",
      type: "object",
      additionalProperties: false,
      properties: {
        minimum: {
          description: "The weakest sandbox that programs may run in; `none` has to be written out.",
          enum: ["namespaces", "none"],
          default: "namespaces",
        },
      },
    },
    ledger: {
      description: "How entries are kept.",
      type: "object",
      additionalProperties: false,
      properties: {
        durability: {
          description: "`full` survives a power cut, `normal` survives a crash of the gate only.",
          enum: ["full", "normal"],
          default: "full",
        },
      },
    },
  },
} as const satisfies JsonObject;
