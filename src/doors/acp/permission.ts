import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { AcpSession } from "./acp-session.ts";
import type { Reply } from "./agent-files.ts";
import { chooseOption } from "./choose-option.ts";
import type { DoorParts } from "./door-parts.ts";
import { askEditor } from "./editor-approver.ts";
import { isOfTheGate } from "./own-calls.ts";
import { withoutTerminals } from "./shown-update.ts";
import { invalidParams } from "./wire-errors.ts";

const CANCELLED: Reply = { result: { outcome: { outcome: "cancelled" } } };
const selected = (optionId: string): Reply => ({ result: { outcome: { outcome: "selected", optionId } } });

/** What of a tool call is judged. Its status and what came of it are no part of what it would do. */
const JUDGED = ["toolCallId", "title", "kind", "content", "locations", "rawInput"] as const;

/**
 * `session/request_permission`: the agent's call, judged and recorded like any other. It is answered once that is decided; the
 * call itself ends when the agent says so. `stopped`: ends the asking, where the agent takes its request back.
 */
export function mediate(
  params: JsonObject,
  session: AcpSession,
  parts: DoorParts,
  stopped: AbortSignal,
): Promise<Reply> {
  const fault = idFault(params["toolCall"], session);
  const known = fault === null ? session.toolCalls.learn(params["toolCall"]) : null;
  if (known === null) return Promise.resolve({ error: invalidParams(fault ?? "`toolCall` has no `toolCallId`") });
  const choice = chooseOption(params["options"], session.modeIds, known["kind"] === "switch_mode");
  const answered = Promise.withResolvers<Reply>();
  const allow = () => {
    tellNews();
    answered.resolve(choice.allow === null ? CANCELLED : selected(choice.allow));
  };
  const { request, stop } = session.permissions.open(String(known["toolCallId"]), allow);
  const withdraw = () => stop.abort();
  const tellNews = () => {
    if (session.permissions.takeNews(request)) tellHeld(String(known["toolCallId"]), session, parts);
  };
  stopped.addEventListener("abort", withdraw, { once: true });
  const input = {
    agent: parts.agentName,
    cwd: session.cwd,
    request,
    canAllow: choice.allow !== null,
    call: judgedPart(known),
  };
  const approver: Approver = {
    ask: (shown, asked, signal) => askEditor(parts, { session, call: known, withdraw }, shown, asked, signal),
  };
  const signal = AbortSignal.any([stop.signal, session.over.signal]);
  void parts.call({ tool: "agent_tool", input, session: session.gate }, { signal, approver }).then((outcome) => {
    stopped.removeEventListener("abort", withdraw);
    tellNews();
    session.permissions.close(request);
    const wasTakenBack = outcome.kind !== "refused" || outcome.refusal.code === "CANCELLED";
    // Where it was let happen it has its answer already, and this one is none.
    answered.resolve(wasTakenBack || choice.reject === null ? CANCELLED : selected(choice.reject));
  });
  return answered.promise;
}

/** A question has its call for itself: what is said under its name would be shown in its place. */
function idFault(toolCall: JsonValue | undefined, { permissions }: AcpSession): string | null {
  const id = isJsonObject(toolCall) ? toolCall["toolCallId"] : undefined;
  if (isOfTheGate(id)) return "this `toolCallId` is the gate's own";
  return permissions.isAsked(id) ? "this `toolCallId` is being asked about" : null;
}

/** What was held back of a call while it was asked about, as it is known by now. */
function tellHeld(toolCallId: string, session: AcpSession, { editor }: DoorParts): void {
  const known = session.toolCalls.learn({ toolCallId });
  if (known === null || session.id === null) return;
  const update = { sessionUpdate: "tool_call_update", ...known };
  const shown = withoutTerminals(update, session.terminals) ?? update;
  void editor.tell("session/update", { sessionId: session.id, update: shown });
}

const judgedPart = (call: JsonObject): JsonObject =>
  Object.fromEntries(JUDGED.flatMap((name) => (call[name] === undefined ? [] : [[name, call[name]]])));
