import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { quoted } from "../domain/visible.ts";
import type { Path } from "../schema/mismatch.ts";
import { type Apm2Rule, rulesFromApm2 } from "./apm2-rules.ts";
import { APM2_TOOLS, isApm2Tool } from "./apm2-tools.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { GivenRule } from "./config-rules.ts";
import { type ShapeProblem, schemaProblems } from "./config-shape.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

/** A policy file of the APM2 seed, read as rules. */
export interface Apm2Policy {
  readonly rules: readonly GivenRule[];
  readonly problems: readonly ConfigProblem[];
  /** Where it decides otherwise here than there. */
  readonly notes: readonly ConfigProblem[];
}

const TEXT = { type: "string", minLength: 1, maxLength: 5000 } as const;
const TEXTS = { type: "array", maxItems: 1000, items: TEXT } as const;
const TYPES = [
  ...["tool_allow", "tool_deny", "budget", "network", "filesystem", "secrets", "inference", "consumption_mode"],
];

const SCHEMA = {
  type: "object",
  required: ["policy"],
  additionalProperties: false,
  properties: {
    policy: {
      type: "object",
      required: ["version", "name", "rules", "default_decision"],
      additionalProperties: false,
      properties: {
        version: TEXT,
        name: TEXT,
        description: { type: "string" },
        default_decision: { enum: ["allow", "deny"] },
        rules: {
          type: "array",
          minItems: 1,
          maxItems: 10_000,
          items: {
            type: "object",
            required: ["id", "type", "decision"],
            additionalProperties: false,
            properties: {
              ...{ id: TEXT, tool: TEXT, rationale_code: TEXT, reason: TEXT, budget_type: TEXT },
              type: { enum: TYPES },
              decision: { enum: ["allow", "deny"] },
              ...{ paths: TEXTS, commands: TEXTS, hosts: TEXTS },
              ports: { type: "array", maxItems: 1000, items: { type: "integer", minimum: 1, maximum: 65_535 } },
              limit: { type: "integer", minimum: 1 },
            },
          },
        },
      },
    },
  },
} as unknown as JsonObject;

const VERSION = /^\d+\.\d+\.\d+$/;

export const isApm2Policy = (value: JsonValue): boolean => isJsonObject(value) && Object.hasOwn(value, "policy");

/** All problems at once. */
export function apm2PolicyFrom(source: YamlSource): Apm2Policy {
  const { value } = source.document;
  const shape = schemaProblems(value, SCHEMA, "an APM2 policy");
  if (shape.length > 0) return { rules: [], problems: shape.map((problem) => placed(problem, source)), notes: [] };
  // The cast is what the schema has found out.
  const { policy } = value as unknown as { readonly policy: RawPolicy };
  const translated = policy.rules.map((rule, index) => ({ rule, at: at(index), made: rulesFromApm2(rule) }));
  const problems = [
    ...wholeProblems(policy),
    ...translated.flatMap(({ at: path, made }) =>
      "problem" in made ? [problemAt(path, made.problem, made.hint)] : [],
    ),
  ];
  return {
    rules: translated.flatMap(({ at: path, made }) =>
      "rules" in made ? made.rules.map((rule) => ({ rule, at: path, source })) : [],
    ),
    problems: problems.map((problem) => placed(problem, source)),
    notes: orderNotes(policy.rules).map((note) => placed(note, source)),
  };
}

interface RawPolicy {
  readonly version: string;
  readonly default_decision: "allow" | "deny";
  readonly rules: readonly Apm2Rule[];
}

const at = (index: number): Path => ["policy", "rules", index];

const problemAt = (path: Path, message: string, hint?: string): ShapeProblem => ({
  path,
  what: "value",
  message,
  ...(hint !== undefined && { hint }),
});

function wholeProblems({ version, default_decision, rules }: RawPolicy): readonly ShapeProblem[] {
  const ids = new Map<string, number>();
  for (const [index, { id }] of rules.entries()) if (!ids.has(id)) ids.set(id, index);
  return [
    ...(VERSION.test(version)
      ? []
      : [problemAt(["policy", "version"], `${quoted(version)} is no version`, "write it like `1.0.0`")]),
    ...(default_decision === "deny"
      ? []
      : [
          problemAt(
            ["policy", "default_decision"],
            "what no rule covers is denied here, whatever a policy says",
            "write `default_decision: deny`, and a rule for what is to be allowed",
          ),
        ]),
    ...rules.flatMap(({ id }, index) =>
      ids.get(id) === index ? [] : [problemAt([...at(index), "id"], `the id ${quoted(id)} is taken already`)],
    ),
  ];
}

/** There the first rule that matches decides; here the strictest does. They differ where an allow stands before a deny. */
function orderNotes(rules: readonly Apm2Rule[]): readonly ShapeProblem[] {
  return rules.flatMap((rule, index) => {
    if (rule.decision !== "deny") return [];
    const before = rules.slice(0, index).find((other) => other.decision === "allow" && mayMeet(other, rule));
    if (before === undefined) return [];
    const message = `${quoted(rule.id)} denies here also what ${quoted(before.id)} allows before it: the strictest rule decides, not the first`;
    return [problemAt(at(index), message)];
  });
}

/** Whether both could be about one call, as far as their tools tell. */
const mayMeet = (a: Apm2Rule, b: Apm2Rule): boolean =>
  APM2_TOOLS.some(({ name }) => isApm2Tool(a.tool ?? "*", name) && isApm2Tool(b.tool ?? "*", name));
