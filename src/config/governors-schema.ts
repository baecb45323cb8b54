// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write into the file

import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";

const TEXT = {
  type: "string",
  maxLength: LIMITS.itemBytes.maximum,
  "x-unit": "codepoints",
  "x-because": LIMITS.itemBytes.because,
} as const;

const TEXTS = {
  type: "array",
  maxItems: LIMITS.repeatedItems.maximum,
  "x-unit": "count",
  "x-because": LIMITS.repeatedItems.because,
  items: TEXT,
} as const;

const GOVERNOR = {
  type: "object",
  required: ["id", "type"],
  additionalProperties: false,
  properties: {
    id: {
      description: "Its name in questions and in the ledger: letters, digits, `.`, `_` and `-`.",
      type: "string",
      minLength: 1,
      maxLength: 64,
      "x-unit": "codepoints",
      "x-because": "it stands before each of its messages",
    },
    type: { description: "A program, or a service.", enum: ["script", "http"] },
    command: {
      description:
        "Of a script: the program and its arguments, without a shell. It starts in the workspace, in the sandbox. Files that it names are closed to tools.",
      ...TEXTS,
      minItems: 1,
    },
    url: { description: "Of `http`: where it is. Redirects are not followed.", minLength: 1, ...TEXT },
    headers: {
      description: "Of `http`: headers by name. `${NAME}` is that variable of the environment, and a secret.",
      type: "object",
      "x-map": true,
    },
    timeout_ms: {
      description: "How long it may take. No answer in time is an `error`.",
      type: "integer",
      default: LIMITS.governorTimeoutMs.default,
      minimum: LIMITS.governorTimeoutMs.minimum,
      maximum: LIMITS.governorTimeoutMs.maximum,
      "x-unit": "ms",
      "x-because": LIMITS.governorTimeoutMs.because,
    },
    requires_manual: {
      description: "A person has to look all the same when it approves.",
      type: "boolean",
      default: false,
    },
    grant: {
      description:
        "Of a script: what its process may do, as in a rule. Left out: it may read the workspace, and has no network.",
      type: "object",
      additionalProperties: false,
      properties: {
        read: { description: "Files that it may read.", ...TEXTS },
        write: { description: "Files that it may write.", ...TEXTS },
        connect: { description: "Hosts that it may connect to.", ...TEXTS },
      },
    },
  },
} as const;

/** All of the file that `governors` names. Its maps (`headers`) are looked at by hand. */
export const GOVERNORS_FILE_SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    permission_governors: {
      description: "Who is asked about every call.",
      type: "array",
      default: [],
      maxItems: LIMITS.governors.maximum,
      "x-unit": "count",
      "x-because": LIMITS.governors.because,
      items: GOVERNOR,
    },
    output_governors: {
      description: "Who is asked about what an agent's run has come to. Not supported yet: the list has to be empty.",
      type: "array",
      default: [],
      maxItems: 0,
      "x-unit": "count",
      "x-because": "there are no agents' runs yet that they could look at",
    },
    settings: {
      description: "How their answers are taken.",
      type: "object",
      additionalProperties: false,
      properties: {
        stop_on_first_reject: {
          description: "They are asked one after the other until one rejects, instead of all at once.",
          type: "boolean",
          default: false,
        },
        auto_decision: {
          description: "`all_approve`: that every one of them approves answers a question. Null: they can only object.",
          enum: ["all_approve", null],
          default: null,
        },
        max_iterations: {
          description: "Of output governors. Checked, and without effect in this version.",
          type: "integer",
          default: 3,
          minimum: 1,
          maximum: 100,
          "x-unit": "count",
          "x-because": "a run that is sent back more often goes round in circles",
        },
      },
    },
  },
} as const satisfies JsonObject;

export interface RawGovernor {
  readonly id: string;
  readonly type: "script" | "http";
  readonly command?: readonly [string, ...string[]];
  readonly url?: string;
  readonly headers?: JsonObject;
  readonly timeout_ms?: number;
  readonly requires_manual?: boolean;
  readonly grant?: RawGrant;
}

export interface RawGrant {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly connect?: readonly string[];
}

export interface RawGovernorsFile {
  readonly permission_governors?: readonly RawGovernor[];
  readonly settings?: {
    readonly stop_on_first_reject?: boolean;
    readonly auto_decision?: "all_approve" | null;
  };
}
