import type { ApprovedCall, RawCall } from "../domain/call.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import { approvedByRule } from "./approve.ts";
import { approvedCall } from "./call-states.ts";
import { decide } from "./decide.ts";
import { execute, type Ran } from "./execute.ts";
import type { Life } from "./life.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";

interface Repeating {
  readonly raw: RawCall;
  readonly life: Life;
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
}

/**
 * A tool whose operator says that it may be repeated is, where it failed in a way that may pass. Each attempt is judged
 * anew, and is in the ledger before it runs. An end that nobody knows is never repeated. Null: there is no reason to.
 */
export function retry(call: ApprovedCall, ran: Ran, repeating: Repeating): Promise<Outcome> | null {
  return call.tool.retry !== undefined && mayPass(ran) ? repeated(call, ran, repeating) : null;
}

const mayPass = (ran: Ran): boolean => {
  if (ran.kind === "returned") return ran.result.kind === "failed" && ran.result.error.retryable;
  return ran.kind === "stopped" && ran.why === "timeout" && ran.proven && ran.late?.retryable === true;
};

/** Nothing is running, and there is nobody to run it again for. */
const CANCELLED: Ran = { kind: "stopped", why: "cancel", proven: true };

async function repeated(first: ApprovedCall, failed: Ran, { raw, life, ports, signal }: Repeating): Promise<Outcome> {
  let [call, ran] = [first, failed];
  const policy = first.tool.retry;
  for (let attempt = 2; policy !== undefined && attempt <= policy.attemptsMax && mayPass(ran); attempt++) {
    const delayMs = policy.delayMs(attempt);
    // What the session has left of its time ends while nothing runs.
    if (delayMs >= (life.within?.timeMs ?? Number.POSITIVE_INFINITY)) break;
    if (!(await waited(delayMs, ports.clock, signal))) return life.end(call, CANCELLED);
    const again = await approvedAgain(call, raw, ports, signal);
    if (again === null || again.tool.admit?.() != null) break;
    const started = await life.restart(again);
    if (started.kind === "failed") break;
    call = again;
    ran = await execute(call, ports, signal, life.within);
  }
  return life.end(call, ran);
}

/**
 * What a person approved, or governors were told of, may be repeated only as it was then; what a rule allows, as long as
 * one does.
 */
async function approvedAgain(
  { approval, seal }: ApprovedCall,
  raw: RawCall,
  ports: PipelinePorts,
  signal: AbortSignal,
): Promise<ApprovedCall | null> {
  const again = await decide(raw, ports, signal);
  if (again.kind === "refuse") return null;
  if (again.call.seal.digest === seal.digest) return approvedCall(again.call, approval);
  const isAllowed = again.call.verdict.effect === "allow" && ports.automatic?.isGoverned() !== true;
  return isAllowed ? approvedByRule(again.call) : null;
}

/** False: cancelled meanwhile. */
const waited = (delayMs: number, clock: Clock, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const cancelled = () => {
      disarm();
      resolve(false);
    };
    const disarm = clock.after(
      delayMs,
      () => {
        signal.removeEventListener("abort", cancelled);
        resolve(true);
      },
      "keeps the process",
    );
    signal.addEventListener("abort", cancelled, { once: true });
  });
