import type { JsonObject } from "../domain/json.ts";
import { belowWorkspace } from "../rules/auto-approval.ts";
import type { RuleSource } from "../rules/rule.ts";
import type { Path } from "../schema/mismatch.ts";

/** A policy of the file, once its shape has been checked. */
export interface RawAutoApproval {
  readonly id: string;
  readonly applies_to?: readonly string[];
  readonly include_paths?: readonly string[];
  readonly exclude_paths?: readonly string[];
  readonly parameters?: JsonObject & { readonly command_prefix?: readonly string[] };
  readonly decision: {
    readonly type: "approve" | "reject" | "manual";
    readonly optionId?: string;
    readonly reason?: string;
    readonly skipGovernors?: boolean;
  };
}

export type RuleOfPolicy =
  | { readonly rule: RuleSource }
  | { readonly problem: string; readonly hint: string; readonly at: Path };

/**
 * A policy that rejects is a deny, and one that leaves it to a person an ask: rules like any others, for every call. What
 * they are about is never less than the policy says.
 */
export function rulesFromPolicy(policy: RawAutoApproval, workspace: string): RuleOfPolicy {
  const { id, applies_to = [], include_paths = [], decision, parameters = {} } = policy;
  if (Object.keys(parameters).some((name) => name !== "command_prefix")) return NO_PARAMETERS;
  const { command_prefix } = parameters;
  if (command_prefix?.some((word) => !PLAIN.test(word))) return NO_WORDS;
  const paths = include_paths.map(anywhere);
  const exec = command_prefix && [`${command_prefix.join(" ")} **`];
  const touch = {
    ...(paths.length > 0 && { read: paths, write: paths, delete: paths }),
    ...(exec && { exec }),
  };
  return {
    rule: {
      id: `policy:${id}`,
      effect: decision.type === "reject" ? "deny" : "ask",
      ...(applies_to.length > 0 && { tools: applies_to }),
      ...(Object.keys(touch).length > 0 && { touch }),
      ...(policy.exclude_paths?.length && { when: unlessIn(policy.exclude_paths, workspace) }),
      because: decision.reason ?? `the policy \`${id}\` says so`,
    },
  };
}

/** Below the workspace, or anywhere at all: `**` of a no means every place, and what is taken out of it is in the workspace. */
const anywhere = (pattern: string): string =>
  /^(?:\/|\.(?:\/|$)|\*\*(?:\/|$))/.test(pattern) ? pattern : `./${pattern}`;

/** A word that means itself in a pattern of commands. */
const PLAIN = /^[A-Za-z0-9_./=:@%+,-]+$/;

/** Not for files that one of the patterns means. A folder with all that is in it is meant only by `…/**`. */
function unlessIn(patterns: readonly string[], workspace: string): string {
  const meant = patterns.map((pattern) => {
    const isIn = `touch.path.matches(${JSON.stringify(expressionFrom(belowWorkspace(pattern), workspace))})`;
    return pattern.endsWith("**") ? isIn : `${isIn} && !(has(touch.tree) && touch.tree)`;
  });
  return `!(has(touch.path) && (${meant.join(" || ")}))`;
}

/** The same paths as the pattern. INVARIANT (excluded): never more of them, or a no would be void there. */
function expressionFrom(pattern: string, workspace: string): string {
  const isBelow = pattern === "." || pattern.startsWith("./");
  const rest = isBelow ? pattern.slice(2) : pattern.replace(/^\//, "");
  const steps = rest === "" ? [] : rest.split("/");
  const body = steps.map((step) => (step === "**" ? "(?:/[^/]+)*" : `/${stepExpression(step)}`)).join("");
  return `^${isBelow ? literally(workspace) : ""}${body}$`;
}

const stepExpression = (step: string): string =>
  step.replace(/\\(.)|\*|\?|[^*?\\]+/gsu, (token, escaped: string | undefined) =>
    token === "*" ? "[^/]*" : token === "?" ? "[^/]" : literally(escaped ?? token),
  );

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const NO_PARAMETERS: RuleOfPolicy = {
  problem: "a policy that rejects, or leaves it to a person, can name `command_prefix` only",
  hint: "write a rule with `when: call.input.NAME == ...` instead",
  at: ["parameters"],
};

const NO_WORDS: RuleOfPolicy = {
  problem: "a word of `command_prefix` has characters that mean something in a rule",
  hint: "write a rule with `touch: { exec: [...] }` instead",
  at: ["parameters", "command_prefix"],
};
