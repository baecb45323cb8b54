import * as fc from "fast-check";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Outcome, Refused } from "../../src/domain/outcome.ts";
import type { ToolDefinition } from "../../src/domain/tool.ts";
import { EASY_NAMES, someFullSchema } from "../schema/arbitrary-schema.ts";

export const tool = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  source: "function",
  containment: "process",
  inputSchema: { type: "object" },
  timeoutMs: 1000,
  ...more,
});

/** Names as tools have them, and as nobody should give them. */
export const someName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "read_file",
    "Read_File",
    "read-file",
    "reаd_file",
    "read.file",
    "read file",
    "",
    "_",
    "3d",
    "a".repeat(65),
  ),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,70}$/),
  fc.string({ unit: "binary", maxLength: 80 }),
);

const known = fc.option(fc.boolean(), { nil: undefined });

const someTool: fc.Arbitrary<ToolDefinition> = fc
  .record({
    name: someName,
    description: fc.oneof(fc.string({ unit: "grapheme", maxLength: 40 }), fc.constant("😀".repeat(5000))),
    schema: someFullSchema([...EASY_NAMES, "dry-run", "@type", "$filter", "x".repeat(65)]),
    destructive: known,
    reversible: known,
    network: known,
    trust: fc.constantFrom("vendor", "user", "inferred"),
  })
  .map(({ name, description, schema, destructive, reversible, network, trust }) =>
    tool(name, {
      description,
      trust: trust as NonNullable<ToolDefinition["trust"]>,
      inputSchema: { ...schema, type: "object" } as JsonObject,
      effects: {
        ...(destructive !== undefined && { destructive }),
        ...(reversible !== undefined && { reversible }),
        ...(network !== undefined && { network }),
      },
    }),
  );

/** No name twice: a catalog has none. */
export const someCatalog = (maxLength: number): fc.Arbitrary<ToolDefinition[]> =>
  fc.uniqueArray(someTool, { maxLength, selector: ({ name }) => name });

const BASE = { callId: "call_1", tool: "t", durationMs: 1 };

export const completed = (...content: Extract<Outcome, { kind: "completed" }>["content"]): Outcome => ({
  kind: "completed",
  ...BASE,
  content,
  attempts: 1,
  cached: false,
  containment: "process",
});

export const refused = (refusal: Partial<Refused["refusal"]> = {}): Outcome => ({
  kind: "refused",
  ...BASE,
  refusal: { code: "RULE_DENY", stage: "judge", message: "a rule denies `write a`", ruleId: "no-writes", ...refusal },
});

export const failed = (more: Partial<Extract<Outcome, { kind: "failed" }>["error"]> = {}): Outcome => ({
  kind: "failed",
  ...BASE,
  error: { code: "TOOL_FAILED", message: "it broke", retryable: false, ...more },
  content: [{ type: "text", text: "half of it" }],
});

export const pending: Outcome = {
  kind: "pending",
  ...BASE,
  approval: { id: "q_1", risk: "HIGH", reasons: ["it deletes"], deadline: "2026-11-16T00:00:00.000Z" },
};

export const unknown = (retryable: boolean): Outcome => ({
  kind: "unknown",
  ...BASE,
  error: { code: "OUTCOME_UNKNOWN", message: "its end is not known", retryable },
});
