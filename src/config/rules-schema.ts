import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { CONDITION_LENGTH_MAX } from "../rules/condition.ts";

const PATTERNS_MAX = 1000;
const RULES_MAX = 10_000;
const EXAMPLES_MAX = 100;

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

const list = (items: JsonObject, because: string, maxItems: number = PATTERNS_MAX) =>
  ({
    type: "array",
    minItems: 1,
    maxItems,
    "x-unit": "count",
    "x-because": because,
    items,
  }) as const;

const HOST_PATTERNS = list(
  { type: "string", minLength: 1, maxLength: 300, "x-unit": "codepoints", "x-because": "no host has a longer name" },
  "a longer list is a domain that wants a pattern",
);

export const TOOL_PATTERNS = list(
  { type: "string", minLength: 1, maxLength: 200, "x-unit": "codepoints", "x-because": "no tool has a longer name" },
  "a longer list is a name that wants a pattern",
);

const MODEL_PATTERNS = list(
  { type: "string", minLength: 1, maxLength: 400, "x-unit": "codepoints", "x-because": "no model has a longer name" },
  "a longer list is a name that wants a pattern",
);

const COMMAND_PATTERNS = list(
  {
    type: "string",
    minLength: 1,
    maxLength: 5000,
    "x-unit": "codepoints",
    "x-because": "a longer command is a script, and no person reads it in a rule",
  },
  "a longer list is a command that wants a pattern",
);

const EXAMPLES = list(
  { type: "string", minLength: 1, maxLength: 5000, "x-unit": "codepoints", "x-because": "a touch, or a command line" },
  "examples are read by people, and tried at every start",
  EXAMPLES_MAX,
);

const APPROVER_NAMES = {
  type: "array",
  maxItems: 100,
  "x-unit": "count",
  "x-because": "a longer list is a role",
  items: {
    type: "string",
    minLength: 1,
    maxLength: 64,
    "x-unit": "codepoints",
    "x-because": "no user and no role has a longer name",
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
    tools: { description: "Names of tools, `*` for any characters. Left out: every tool.", ...TOOL_PATTERNS },
    touch: {
      description: "What the call would do. Left out: everything, but an allow rule covers `unknown` only by name.",
      type: "object",
      additionalProperties: false,
      properties: {
        read: { description: "Files that are read.", ...PATH_PATTERNS },
        write: { description: "Files that are written or made.", ...PATH_PATTERNS },
        delete: { description: "Files that are deleted.", ...PATH_PATTERNS },
        exec: {
          description:
            "Commands by their words: `*` is one word, `**` any number, also none. `npm test` is `npm test`.",
          ...COMMAND_PATTERNS,
        },
        connect: { description: "Hosts and ports, such as `*.example.com:443`.", ...HOST_PATTERNS },
        git: { description: "Operations of the `git` tool, such as `PUSH`; `*` for all.", ...TOOL_PATTERNS },
        model: {
          description: "Models that are asked, as `provider/model`; `*` for any characters.",
          ...MODEL_PATTERNS,
        },
        tool: { description: "Tools elsewhere that the call would use, by name.", ...TOOL_PATTERNS },
        unknown: { description: "What the gate could not work out beforehand.", const: true },
      },
    },
    containment: {
      description: "Where the tool does its work. Left out: anywhere.",
      type: "array",
      minItems: 1,
      items: { enum: ["process", "sandbox", "upstream", "client"] },
    },
    sandbox: {
      description:
        "Only calls that start a program which is held in so. A deny for `none` is a minimum for what the rule covers. Left out: any.",
      type: "array",
      minItems: 1,
      items: { enum: ["namespaces", "none"] },
    },
    when: {
      description: "A condition in CEL, asked once all else matches. One that can't be decided denies.",
      type: "string",
      minLength: 1,
      maxLength: CONDITION_LENGTH_MAX,
      "x-unit": "codepoints",
      "x-because": "more than a person can check at a glance is not a condition",
    },
    otherwise: { description: "Speaks only for touches that no other rule covers.", type: "boolean", default: false },
    dynamic: {
      description: "Patterns of commands cover words as well that are known only at run time, such as `$HOME`.",
      type: "boolean",
      default: false,
    },
    options: {
      description:
        "`any`: wildcards of this allow also cover options of which Toolgate does not know that they are harmless. Options that are known to start other programs, or to read or write other files, still have to be written out.",
      enum: ["any"],
    },
    grant: {
      description: "What a program may do by itself that this rule lets run.",
      type: "object",
      additionalProperties: false,
      properties: {
        read: { description: "Files that it may read.", ...PATH_PATTERNS },
        write: { description: "Files that it may write.", ...PATH_PATTERNS },
        connect: { description: "Hosts that it may connect to.", ...HOST_PATTERNS },
      },
    },
    approvers: {
      description: "Of an ask: who has to say yes. Left out: anybody who may answer questions, one of them.",
      type: "object",
      additionalProperties: false,
      properties: {
        roles: { description: "Any of these roles; none of them means nobody.", ...APPROVER_NAMES },
        users: { description: "These users, too.", ...APPROVER_NAMES },
        people: {
          description: "How many different people have to say yes.",
          type: "integer",
          minimum: 1,
          maximum: 5,
          "x-unit": "count",
          "x-because": "more never come together before the deadline",
          default: 1,
        },
        requester: {
          description: "Whether who made the call, or opened the session that it was made in, may be one of them.",
          enum: ["may", "never"],
          default: "may",
        },
      },
    },
    examples: {
      description: "Touches such as `read ./src/a.ts` and command lines, tried when the rules are loaded.",
      type: "object",
      additionalProperties: false,
      properties: {
        match: { description: "What the rule covers.", ...EXAMPLES },
        noMatch: { description: "What it does not cover.", ...EXAMPLES },
      },
    },
    because: {
      description: "The reason, for whoever is refused or asked.",
      type: "string",
      maxLength: 500,
      "x-unit": "codepoints",
      "x-because": "it stands in every refusal; a longer reason is a document",
    },
  },
} as const;

/** The rules as a config writes them. */
export const RULES = {
  description: "What calls may touch. What no rule covers is denied.",
  type: "array",
  default: [],
  maxItems: RULES_MAX,
  "x-unit": "count",
  "x-because": "more are a program's work, and no person has read them",
  items: RULE,
} as const;

/** A file of `rulesFiles`. */
export const RULES_FILE_SCHEMA = {
  type: "object",
  required: ["rules"],
  additionalProperties: false,
  properties: { rules: RULES },
} as const satisfies JsonObject;
