import { meaningOf } from "../domain/codes.ts";
import type { Entry } from "../domain/entry.ts";
import { onlyFacts } from "../domain/entry-facts.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { Touch } from "../domain/touch.ts";
import { touchesInLine } from "../domain/touch-in-words.ts";
import type { GateEvent } from "./gate-event.ts";

/** What an entry does not say of its call. */
export interface EventFacts {
  readonly tool: string;
  readonly approvalId: string | null;
}

/** Larger events carry less, and where to read the rest. */
const DATA_CHARS_MAX = 10 * 1024;
const DESCRIPTION_CHARS_MAX = 1000;

/**
 * An entry as an event: one each, so that its number names both. The names and fields of approvals are those of the Agent
 * Tools seed; what it has no name for is called as the ledger calls it.
 */
export function eventFromEntry(entry: Entry, facts: EventFacts | null, workspace: string): GateEvent {
  const { seq, project, sessionId } = entry;
  const { name, data } = told(entry, facts, workspace);
  const call = entry.callId === null ? {} : { tool_id: entry.callId, tool_name: facts?.tool ?? "" };
  const all = { ...call, ...data, session_id: sessionId, timestamp: entry.at };
  return { id: seq, name, project, sessionId, data: fitting(all) };
}

interface Told {
  readonly name: string;
  readonly data: JsonObject;
}

function told(entry: Entry, facts: EventFacts | null, workspace: string): Told {
  switch (entry.kind) {
    case "tool.requested":
      return { name: "tool.requested", data: {} };
    case "tool.decided":
      return decided(entry, workspace);
    case "tool.started":
      return { name: "tool.started", data: picked(entry.body, ["by", "who", "attempt"]) };
    case "tool.executed":
      return { name: "tool.executed", data: executed(entry.body) };
    case "approval.answered":
      return answered(entry.body, facts?.approvalId ?? null);
    case "approval.automatic":
      // What each governor said, with its numbers, is for people, in the ledger: an agent would learn what to say to them.
      return { name: entry.kind, data: picked(entry.body, ["answer", "who", "reason"]) };
    case "policy.always":
      // The rule itself is for people, in the ledger: agents hear of their own calls here.
      return {
        name: entry.kind,
        data: { approval_id: entry.body["approvalId"] ?? null, rule_id: entry.body["ruleId"] ?? null },
      };
    default:
      return { name: entry.kind, data: entry.body };
  }
}

function decided({ body, at, planDigest }: Entry, workspace: string): Told {
  const { decision, risk, ruleId, code, message, stage, approvalId, deadline } = body;
  if (decision === "deny") {
    return { name: REFUSED, data: { code, message, stage, rule_id: ruleId ?? null } as JsonObject };
  }
  if (decision !== "ask") return { name: "tool.started", data: { by: "rule", who: ruleId ?? null, attempt: 1 } };
  const data = {
    approval_id: approvalId,
    risk_level: risk,
    timeout_seconds: Math.round((Date.parse(String(deadline)) - Date.parse(at)) / 1000),
    deadline,
    description: inWords(body["touches"], workspace),
    rule_id: ruleId ?? null,
    plan_digest: planDigest,
  };
  return { name: "tool.approval_request", data: data as JsonObject };
}

const REFUSED = "tool.refused";

/**
 * An event as people without a role hear it if the call is not theirs: without the command line, the reason of an answer
 * and the message of a refusal, which quote the call.
 */
export function withoutWords(event: GateEvent): GateEvent {
  if (event.data["tool_id"] === undefined) return event;
  const { facts, withheld } = onlyFacts(event.data);
  const message = event.name === REFUSED ? { message: meaningOf(event.data["code"]) } : {};
  return withheld.length === 0 ? event : { ...event, data: { ...(facts as JsonObject), ...message } };
}

const STATUS: Readonly<Record<string, string>> = { approve: "approved", reject: "rejected", cancelled: "cancelled" };

function answered({ answer, who, reason }: JsonObject, approvalId: string | null): Told {
  if (answer === "expired")
    return { name: "tool.approval_timeout", data: { approval_id: approvalId, status: "timeout" } };
  const status = STATUS[String(answer)] ?? String(answer);
  const data = { approval_id: approvalId, status, resolved_by: who ?? null, reason: reason ?? null };
  return { name: "tool.approval_resolved", data };
}

const executed = ({ outcome, code, durationMs, exitCode }: JsonObject): JsonObject => ({
  status: outcome ?? null,
  code: code ?? null,
  execution_time_ms: typeof durationMs === "number" ? Math.round(durationMs) : null,
  ...(exitCode !== undefined && { exit_code: exitCode }),
});

const picked = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, body[name] ?? null]));

/** Touches come back from the ledger as they were written; one that is none is left out. */
function inWords(touches: JsonValue | undefined, workspace: string): string {
  const found = Array.isArray(touches) ? touches : [];
  const named = found.flatMap((one) => (isJsonObject(one) && isJsonObject(one["touch"]) ? [one["touch"]] : []));
  return touchesInLine(named as unknown as readonly Touch[], workspace);
}

function fitting(data: JsonObject): JsonObject {
  if (JSON.stringify(data).length <= DATA_CHARS_MAX) return data;
  const { description } = data;
  const short =
    typeof description === "string" ? { description: `${description.slice(0, DESCRIPTION_CHARS_MAX)}…` } : {};
  const small = Object.entries(data).filter(([, value]) => typeof value !== "string" || value.length <= 256);
  return { ...Object.fromEntries(small), ...short, truncated: true };
}
