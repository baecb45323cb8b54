import type { JsonObject } from "../domain/json.ts";
import { quoted } from "../domain/visible.ts";
import {
  type AutoApproval,
  type AutoApprovalProblem,
  type AutoApprovalSource,
  type AutoObjection,
  compileAutoApproval,
} from "../rules/auto-approval.ts";
import type { Path } from "../schema/mismatch.ts";
import { type RawAutoApproval, rulesFromPolicy } from "./auto-approval-rules.ts";
import { AUTO_APPROVALS_SCHEMA } from "./auto-approvals-schema.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { GivenRule } from "./config-rules.ts";
import { type ShapeProblem, schemaProblems } from "./config-shape.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

export interface Policies {
  /** Those that approve. */
  readonly policies: readonly AutoApproval[];
  /** The others, which speak about every call. */
  readonly rules: readonly GivenRule[];
  /** The same, for what rules can't see. */
  readonly objections: readonly AutoObjection[];
  readonly problems: readonly ConfigProblem[];
}

/** What a file of policies says. */
export function policiesIn(source: YamlSource, workspace: string): Policies {
  const shape = schemaProblems(
    source.document.value,
    AUTO_APPROVALS_SCHEMA as unknown as JsonObject,
    "a file of policies",
  );
  if (shape.length > 0) return { ...NOTHING, problems: shape.map((problem) => placed(problem, source)) };
  // The cast is what the schema has found out.
  const value = source.document.value as unknown as { readonly auto_approval_policies: readonly RawAutoApproval[] };
  const read = value.auto_approval_policies.map((raw, index, all) => {
    const path: Path = ["auto_approval_policies", index];
    const problems = [...ownProblems(raw, all.slice(0, index)), ...optionProblems(raw)];
    const one = found(raw, path, source, workspace);
    return {
      ...one,
      problems: [...problems, ...one.problems].map((each) => ({ ...each, path: [...path, ...each.path] })),
    };
  });
  return {
    policies: read.flatMap(({ policies }) => policies),
    rules: read.flatMap(({ rules }) => rules),
    objections: read.flatMap(({ objections }) => objections),
    problems: read.flatMap(({ problems }) => problems.map((problem) => placed(problem, source))),
  };
}

interface Found extends Omit<Policies, "problems"> {
  readonly problems: readonly ShapeProblem[];
}

const NOTHING: Found = { policies: [], rules: [], objections: [], problems: [] };

/** One that approves answers questions; one that says something else is a rule. */
function found(raw: RawAutoApproval, rulePath: Path, source: YamlSource, workspace: string): Found {
  const compiled = compileAutoApproval(sourceFrom(raw), workspace);
  if (!compiled.ok) return { ...NOTHING, problems: compiled.problems.map(problemFrom) };
  const { type: says } = raw.decision;
  if (says === "approve") return { ...NOTHING, policies: [compiled.policy] };
  const made = rulesFromPolicy(raw, workspace);
  if (!("rule" in made)) return { ...NOTHING, problems: [{ ...at(made.at), message: made.problem, hint: made.hint }] };
  const { id, reason } = compiled.policy;
  const objection = { id, says, reason, objects: compiled.objects };
  return { ...NOTHING, rules: [{ rule: made.rule, at: rulePath, source }], objections: [objection] };
}

function sourceFrom({ id, decision, ...raw }: RawAutoApproval): AutoApprovalSource {
  const { command_prefix: commandPrefix = null, ...parameters } = raw.parameters ?? {};
  return {
    ...{ id, parameters, commandPrefix },
    appliesTo: raw.applies_to ?? [],
    includePaths: raw.include_paths ?? [],
    excludePaths: raw.exclude_paths ?? [],
    reason: decision.reason ?? null,
    optionId: decision.optionId ?? null,
    skipsGovernors: decision.skipGovernors ?? false,
  };
}

const problemFrom = ({ field, index, error, hint }: AutoApprovalProblem): ShapeProblem => ({
  ...at([field, index]),
  message: error,
  ...(hint !== undefined && { hint }),
});

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function ownProblems({ id }: RawAutoApproval, before: readonly RawAutoApproval[]): readonly ShapeProblem[] {
  if (!ID.test(id))
    return [
      { ...at(["id"]), message: `the id ${quoted(id)} is not a name`, hint: "use letters, digits, `-`, `_` and `.`" },
    ];
  return before.some((other) => other.id === id)
    ? [{ ...at(["id"]), message: `the id ${quoted(id)} is taken already` }]
    : [];
}

/** As agents call their answers: those of the seed, of Gemini and of today's protocol. */
const YES = /^(?:allow|approve|approved|proceed)(?:_once|_always)?$/;
const NO = /^(?:(?:reject|deny)(?:_once|_always)?|rejected|denied|abort|cancel)$/;

/** A file that says both yes and no was not meant so. Names that nobody knows are the agent's own. */
function optionProblems({ decision: { type, optionId } }: RawAutoApproval): readonly ShapeProblem[] {
  const contrary = type === "approve" ? NO : type === "reject" ? YES : null;
  if (optionId === undefined || contrary?.test(optionId) !== true) return [];
  const message = `the policy says \`${type}\`, and its option ${quoted(optionId)} says the contrary`;
  return [{ ...at(["decision", "optionId"]), message, hint: "take the option out, or change the type" }];
}

const at = (path: Path) => ({ path, what: "value" }) as const;
