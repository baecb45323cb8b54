/**
 * Members of ledger entries and events that are known to hold no words of a call or of its approvers: ids, digests, numbers
 * and names of states. INVARIANT (default deny): people who may not see a call read these, and a new member is withheld
 * from them until it is listed here.
 */
const FACTS: ReadonlySet<string> = new Set([
  ...["tool", "tool_id", "tool_name", "session_id", "timestamp", "inputDigest", "resultDigest", "plan_digest"],
  ...[
    "decision",
    "risk",
    "risk_level",
    "ruleId",
    "rule_id",
    "rulesHash",
    "code",
    "stage",
    "budgetConsumed",
    "withheld",
  ],
  ...[
    "approvalId",
    "approval_id",
    "deadline",
    "timeout_seconds",
    "remaining_seconds",
    "answer",
    "status",
    "given",
    "needed",
  ],
  ...[
    "who",
    "resolved_by",
    "by",
    "attempt",
    "attempts",
    "outcome",
    "durationMs",
    "execution_time_ms",
    "exitCode",
    "exit_code",
  ],
]);

interface Facts {
  readonly facts: Readonly<Record<string, unknown>>;
  /** Names of the members that were left out. */
  readonly withheld: readonly string[];
}

export function onlyFacts(body: Readonly<Record<string, unknown>>): Facts {
  const members = Object.entries(body);
  return {
    facts: Object.fromEntries(members.filter(([name]) => FACTS.has(name))),
    withheld: members.map(([name]) => name).filter((name) => !FACTS.has(name)),
  };
}
