import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";

const POLICIES_MAX = 1000;
const PATTERNS_MAX = 1000;

const text = (description: string, maxLength: number, because: string) =>
  ({ description, type: "string", minLength: 1, maxLength, "x-unit": "codepoints", "x-because": because }) as const;

const list = (description: string, items: JsonObject) =>
  ({
    ...{ description, type: "array", maxItems: PATTERNS_MAX, default: [], items },
    "x-unit": "count",
    "x-because": "a longer list wants a pattern",
  }) as const;

const PATH_PATTERN = text("A pattern.", LIMITS.pathBytes.maximum, LIMITS.pathBytes.because);

/** `auto_approval_policies.yaml`, as the A2A-ACP system has it. */
export const AUTO_APPROVALS_SCHEMA = {
  type: "object",
  required: ["auto_approval_policies"],
  additionalProperties: false,
  properties: {
    auto_approval_policies: {
      description: "All of them are asked; the strictest decides.",
      type: "array",
      maxItems: POLICIES_MAX,
      "x-unit": "count",
      "x-because": "each of them is asked about each question",
      items: {
        type: "object",
        required: ["id", "decision"],
        additionalProperties: false,
        properties: {
          id: text("Its name: `policy:` and this is who answers.", 80, "it is shown on one line"),
          applies_to: list(
            "Names of tools, `*` for any characters. Empty: every tool.",
            text("A name.", 200, "no tool has a longer name"),
          ),
          include_paths: list(
            "Files that it is about, below the workspace unless they begin with `/`. To approve, all that a call touches; to reject or to leave it to a person, any.",
            PATH_PATTERN,
          ),
          exclude_paths: list("Files that it is not about.", PATH_PATTERN),
          parameters: {
            description: "What arguments have to be. `command_prefix`: what the list `command` begins with.",
            type: "object",
            properties: {
              command_prefix: {
                ...list("Words.", text("A word.", 5000, "no argument of a command is longer")),
                minItems: 1,
              },
            },
          },
          decision: {
            type: "object",
            required: ["type"],
            additionalProperties: false,
            properties: {
              type: { description: "What it says.", enum: ["approve", "reject", "manual"] },
              optionId: text("Which answer of the agent's is meant. Never `always`.", 100, "it is a name"),
              reason: text("Why, for people and for the ledger.", 1000, "it is read at a glance"),
              skipGovernors: {
                description: "Of an approval: doubts of governors don't count. Their no does.",
                type: "boolean",
                default: false,
              },
            },
          },
        },
      },
    },
  },
} as const satisfies JsonObject;
