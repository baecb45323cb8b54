import type { ApprovedCall, RawCall } from "../domain/call.ts";
import type { Outcome } from "../domain/outcome.ts";
import { approvedByRule } from "./approve.ts";
import { decide } from "./decide.ts";
import { execute, type Ran } from "./execute.ts";
import type { Life } from "./life.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";

interface Rerun {
  readonly raw: RawCall;
  readonly life: Life;
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
}

/**
 * What it was planned for had changed by the time it ran, so it did nothing. Where nobody was asked about that plan, the
 * call is planned and judged afresh, once. Null: there is no reason to.
 */
export function runAgain(call: ApprovedCall, ran: Ran, rerun: Rerun): Promise<Outcome> | null {
  const isConflict = ran.kind === "returned" && ran.result.kind === "failed" && ran.result.error.code === "CONFLICT";
  return isConflict && call.approval.by === "rule" ? secondAttempt(call, ran, rerun) : null;
}

/** The first attempt did nothing, and there is nobody to make a second one for. */
const CANCELLED: Ran = { kind: "stopped", why: "cancel", proven: true };

async function secondAttempt(call: ApprovedCall, conflict: Ran, { raw, life, ports, signal }: Rerun): Promise<Outcome> {
  if (signal.aborted) return life.end(call, CANCELLED);
  const again = await decide(raw, ports, signal);
  if (again.kind === "refuse" || again.call.verdict.effect !== "allow") return life.end(call, conflict);
  // Who hears every call was told of another plan.
  if (ports.automatic?.isGoverned() === true) return life.end(call, conflict);
  const approved = approvedByRule(again.call);
  const restarted = await life.restart(approved);
  if (restarted.kind === "failed") return life.end(call, conflict);
  return life.end(approved, await execute(approved, ports, signal, life.within));
}
