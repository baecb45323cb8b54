import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ShownPlan } from "../../domain/question.ts";
import { visibleText } from "../../domain/visible.ts";
import type { ProposedRule } from "../../wiring/always.ts";
import type { AskedAs } from "../../wiring/build-gate.ts";
import type { Gate, GivenHere } from "../../wiring/gate.ts";
import { planInWords } from "../wire/plan-in-words.ts";
import type { AcpSession } from "./acp-session.ts";
import { ownCallId } from "./own-calls.ts";
import type { Answered, Peer } from "./peer.ts";

export interface EditorParts {
  readonly gate: Pick<Gate, "actor" | "always">;
  readonly editor: Peer;
}

interface Asking {
  readonly session: AcpSession;
  /** The agent's own call, which the editor shows already. Left out: it is one that the gate makes for it. */
  readonly call?: JsonObject;
  /** The person behind the editor wants nothing of it any more. */
  readonly withdraw: () => void;
}

type Said = "allow" | "always" | "reject" | "cancelled" | null;

/** Asks the person behind the editor, who is one more way to answer: the first answer counts. */
export async function askEditor(
  { gate, editor }: EditorParts,
  { session, call, withdraw }: Asking,
  shown: ShownPlan,
  { approvalId }: AskedAs,
  signal: AbortSignal,
): Promise<GivenHere | null> {
  if (session.id === null || signal.aborted) return null;
  const proposal = gate.always.propose(shown, "approve");
  const rule = proposal.ok ? proposal : null;
  const params = questionParams(session.id, shown, approvalId, call, rule);
  const said = await answerTo(editor, params, signal);
  const who = gate.actor;
  if (said === "cancelled") withdraw();
  if (said === null || said === "cancelled") return null;
  // An answer that it was not offered is no yes.
  if (said === "reject" || (said === "always" && rule === null)) return { kind: "reject", who };
  if (said === "always" && rule !== null)
    return { kind: "approve", who, onCounted: () => gate.always.save(rule, { who, approvalId }) };
  return { kind: "approve", who };
}

/** INVARIANT (shown whole): all of the plan stands in front of what the agent itself shows, and what "always" would save. */
function questionParams(
  sessionId: string,
  shown: ShownPlan,
  approvalId: string,
  call: JsonObject | undefined,
  rule: ProposedRule | null,
): JsonObject {
  const lines = [
    ...planInWords(shown),
    ...(rule === null ? [] : ["", "`Always` runs it and saves this rule:", visibleText(rule.text.trimEnd())]),
  ];
  const own = call ?? { toolCallId: ownCallId(approvalId), title: shown.plan.tool, kind: "other" };
  const more = Array.isArray(call?.["content"]) ? (call["content"] as readonly JsonValue[]).filter(isShowable) : [];
  const text = { type: "content", content: { type: "text", text: lines.join("\n") } };
  return {
    sessionId,
    toolCall: { ...own, status: "pending", content: [text, ...more] },
    options: [
      { optionId: "allow", name: "Allow once", kind: "allow_once" },
      ...(rule === null ? [] : [{ optionId: "always", name: "Always, by the rule shown", kind: "allow_always" }]),
      { optionId: "reject", name: "Reject", kind: "reject_once" },
    ],
  };
}

/** The editor has none of the terminals. */
const isShowable = (item: JsonValue): boolean => isJsonObject(item) && item["type"] !== "terminal";

function answerTo(editor: Peer, params: JsonObject, signal: AbortSignal): Promise<Said> {
  return new Promise((resolve) => {
    const method = "session/request_permission";
    const requestId = editor.ask(
      (id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      (answered) => resolve(saidIn(answered)),
    );
    const answeredElsewhere = () => {
      void editor.tell("$/cancel_request", { requestId });
      resolve(null);
    };
    signal.addEventListener("abort", answeredElsewhere, { once: true });
  });
}

/** Only a clear yes is one. An editor that can't ask leaves the question to others. */
function saidIn(answered: Answered): Said {
  if (answered === null || answered.result === undefined) return null;
  const outcome = isJsonObject(answered.result) ? answered.result["outcome"] : null;
  if (!isJsonObject(outcome)) return "reject";
  if (outcome["outcome"] === "cancelled") return "cancelled";
  const { outcome: kind, optionId } = outcome;
  return kind === "selected" && (optionId === "allow" || optionId === "always") ? optionId : "reject";
}
