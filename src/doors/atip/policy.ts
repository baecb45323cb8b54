import { type ExecutionPolicy, policyFindings, policyTrust } from "../../atip/execution-policy.ts";
import type { Finding, Reason } from "../../atip/finding.ts";
import type { CommandMapping, PolicyCheckResult, PolicyViolation, ToolCall, ViolationCode } from "./types.ts";

const CODES: Partial<Record<Reason, ViolationCode>> = {
  trust: "TRUST_INSUFFICIENT",
  network: "NETWORK_BLOCKED",
  "filesystem-write": "FILESYSTEM_WRITE_BLOCKED",
  interactive: "INTERACTIVE_BLOCKED",
  destructive: "DESTRUCTIVE_BLOCKED",
  "filesystem-delete": "FILESYSTEM_DELETE_BLOCKED",
  "non-reversible": "NON_REVERSIBLE_BLOCKED",
  billable: "BILLABLE_BLOCKED",
  "cost-high": "COST_EXCEEDED",
};

/** What the policy says of a command, by the very findings that the gate's rules are made of. */
export function checkPolicy(
  _call: ToolCall | null,
  mapping: CommandMapping,
  policy: ExecutionPolicy = {},
): PolicyCheckResult {
  const { effects } = mapping;
  const trust = policyTrust(mapping.tool, policy);
  const findings = policyFindings(effects, trust, policy);
  const isDenied = findings.some(({ effect }) => effect === "deny");
  return {
    allowed: findings.length === 0,
    requiresConfirmation: !isDenied && findings.length > 0,
    violations: findings.map(violation),
    reasons: findings.filter(({ effect }) => effect === "ask").map(({ reason }) => reason),
    effects,
    trust,
  };
}

const violation = ({ effect, reason, because }: Finding): PolicyViolation => ({
  code: CODES[reason] ?? "DESTRUCTIVE_BLOCKED",
  message: because,
  confirmable: effect === "ask",
});
