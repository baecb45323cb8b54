import type { RawCall } from "../domain/call.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { Clock } from "../ports/clock.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import type { Change } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import * as record from "./record.ts";

/**
 * A change of a call together with the yes that allows it.
 * INVARIANT (one winner): it is an answer like any other, and counts only if the question is still open.
 */
export function withYes(
  { answer, entry }: UnwrittenYes,
  { callId, to, entries }: Pick<Change, "callId" | "to" | "entries">,
  raw: RawCall,
  { clock, probe }: { readonly clock: Clock; readonly probe: Probe },
): Change {
  const both = () => {
    probe.reached("writing", callId);
    return [entry(isoTime(clock.nowMs())), ...entries()] as const;
  };
  const taken = to === "executing" && { takenBy: record.newCall(raw) };
  return { callId, from: "awaiting_approval", to, answer, entries: both, ...taken };
}
