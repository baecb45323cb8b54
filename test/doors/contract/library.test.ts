import { type Outcome, openGate } from "../../../src/index.ts";
import { type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";

async function open({ config }: Place): Promise<DoorClient> {
  const gate = await openGate({ config });
  return {
    call: async ({ tool, input, key, token, cancel, listens }) => {
      const checked = token === undefined ? null : await gate.sessions.check(token);
      if (checked?.kind === "refused") throw new Error(checked.refusal.message);
      const stop = new AbortController();
      void cancel?.then(() => stop.abort());
      const call = {
        tool,
        input: input as never,
        ...(key !== undefined && { key }),
        ...(checked && { session: checked.session }),
      };
      if (!listens) return heardFrom(await gate.call(call, { signal: stop.signal }));
      let progress = "";
      for await (const event of gate.stream(call)) {
        if (event.kind === "outcome") return { ...heardFrom(event.outcome), progress };
        progress += event.message;
      }
      throw new Error("the stream ended without an outcome");
    },
    [Symbol.asyncDispose]: () => gate.close(),
  };
}

function heardFrom(outcome: Outcome): Heard {
  const texts = "content" in outcome ? outcome.content : [];
  return {
    ends: outcome.kind === "refused" ? outcome.refusal.code : "error" in outcome ? outcome.error.code : outcome.kind,
    wire: outcome.kind,
    text: texts.map((item) => (item.type === "text" ? item.text : "")).join("") + messageOf(outcome),
    ...("truncated" in outcome && { blob: outcome.truncated?.blob ?? null }),
  };
}

const messageOf = (outcome: Outcome): string => ("error" in outcome ? outcome.error.message : "");

keepsTheContract({
  name: "library",
  open,
  wire: {
    completed: "completed",
    DEFAULT_DENY: "refused",
    RULE_DENY: "refused",
    APPROVAL_REJECTED: "refused",
    APPROVAL_EXPIRED: "refused",
    APPROVAL_STALE: "refused",
    FILE_NOT_FOUND: "failed",
    MULTIPLE_MATCHES: "failed",
    PATH_INVALID: "refused",
    INVALID_ARGUMENTS: "refused",
    TOOL_UNKNOWN: "refused",
    REDACTED_CONTENT: "refused",
    TOOL_FAILED: "failed",
    TIMEOUT: "failed",
    CANCELLED: "failed",
    DEDUPE_MISMATCH: "refused",
    LEASE_SCOPE: "refused",
    BUDGET_EXCEEDED: "refused",
    OUTCOME_UNKNOWN: "unknown",
    LIMIT_FSIZE: "failed",
    INTERACTIVE_BLOCKED: "refused",
    EXECUTOR_UNAVAILABLE: "refused",
    ARTIFACT_UNKNOWN: "failed",
  },
});
