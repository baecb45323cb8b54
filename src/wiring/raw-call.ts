import type { RawCall } from "../domain/call.ts";
import type { CallOptions, GateCall } from "./gate-call.ts";
import type { GateParts } from "./gate-parts.ts";
import { shownToolName } from "./shown-tool-name.ts";
import { sessionOf } from "./whose-session.ts";

/** A call as the pipeline takes it. */
export function rawCallFrom(
  call: GateCall,
  whenAsked: NonNullable<CallOptions["whenAsked"]>,
  parts: Pick<GateParts, "actor" | "host" | "ids" | "owner" | "ports" | "session">,
): RawCall {
  const { ids, owner, host, ports } = parts;
  const { tool, input, actor = parts.actor, key = "" } = call;
  const session = sessionOf(call, parts.session);
  const receivedAtMs = ports.clock.nowMs();
  return {
    callId: ids.next("call", receivedAtMs),
    toolName: shownToolName(tool, ports),
    rawInput: input,
    project: session.project,
    session,
    owner,
    host,
    actor,
    caller: whenAsked === "return" ? "detached" : "attended",
    receivedAtMs,
    key: key === "" ? undefined : key,
  };
}
