import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import { type ApprovedCall, type JudgedCall, pass, type RawCall, refuse, type Step } from "../domain/call.ts";
import { isPromise, type Now } from "../domain/now.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import type { PersonsAnswer } from "../domain/question.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import { type AskedFor, approvedByPerson, approvedByRule, notApproved } from "./approve.ts";
import { afterHearing } from "./automatic.ts";
import { decide } from "./decide.ts";
import { execute, type Ran } from "./execute.ts";
import { Life } from "./life.ts";
import { CANCELLED } from "./own-refusals.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";
import { retry } from "./retry.ts";
import { runAgain } from "./run-again.ts";
import { StageTracker } from "./stage-tracker.ts";

/** A yes that was given to a call before this process had it. */
export interface GivenYes {
  readonly asked: AskedFor;
  readonly answer: PersonsAnswer & { readonly kind: "approve" };
  /** Where it is in no ledger yet: the change that starts the call, or refuses it, writes it too. */
  readonly unwritten?: UnwrittenYes;
}

/**
 * The whole life of a call. Nothing happens before the ledger entry that tells of it is durable.
 * With `given` it goes on with a call that was approved while the process that asked was gone, or did not wait.
 */
export async function run(
  raw: RawCall,
  allPorts: PipelinePorts,
  signal: AbortSignal,
  given?: GivenYes,
  /** Told when it is over, however it ends. */
  landed?: () => void,
): Promise<Outcome> {
  const stages = new StageTracker(allPorts.probe);
  const ports = { ...allPorts, probe: stages };
  const { faults } = ports;
  const life = new Life(raw, ports, given ? "approved" : "received", given?.unwritten);
  try {
    const deciding = decide(raw, ports, signal);
    const judged = isPromise(deciding) ? await deciding : deciding;
    if (judged.kind === "refuse") return await life.refuse(judged.refusal);

    const approving = approve(judged.call, { raw, life, ports, signal }, given);
    const approved = isPromise(approving) ? await approving : approving;
    if (approved.kind === "ended") return approved.outcome;
    if (approved.kind === "refuse") return await life.refuse(approved.refusal);
    ports.probe.reached("approved", raw.callId);
    if (signal.aborted) return await life.refuse(CANCELLED);

    const held = approved.call.tool.admit?.() ?? null;
    if (held !== null) return await life.refuse(held);
    const start = await life.start(approved.call);
    if (start.kind === "failed") return await life.notStarted(start.refusal);
    ports.probe.reached("started", raw.callId);

    const running = execute(approved.call, ports, signal, life.within);
    const ran = isPromise(running) ? await running : running;
    if (ran.kind === "threw") faults.report(ran.cause, { stage: "execute", callId: raw.callId });
    ports.probe.reached("ran", raw.callId);
    const again = isDone(ran) ? null : againIfItMay(approved.call, ran, { raw, life, ports, signal });
    return again === null ? await life.end(approved.call, ran) : await again;
  } catch (cause) {
    faults.report(cause, { stage: stages.stage, callId: raw.callId });
    return await life.fault();
  } finally {
    landed?.();
  }
}

/** For what is refused before it is looked at. */
export const refuseUnseen = (raw: RawCall, ports: PipelinePorts, refusal: Refusal): Promise<Outcome> =>
  new Life(raw, ports).refuse(refusal);

/** Nearly all are. */
const isDone = (ran: Ran): boolean => ran.kind === "returned" && ran.result.kind === "completed";

const againIfItMay = (call: ApprovedCall, ran: Ran, asking: Asking): Promise<Outcome> | null =>
  runAgain(call, ran, asking) ?? retry(call, ran, asking);

interface Asking {
  readonly raw: RawCall;
  readonly life: Life;
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
}

type Approving = Step<ApprovedCall> | { readonly kind: "ended"; readonly outcome: Outcome };

function approve(call: JudgedCall, asking: Asking, given: GivenYes | undefined): Now<Approving> {
  if (given) return approvedByPerson(call, given.asked, given.answer);
  const hearing = asking.ports.automatic?.hear(call, asking.signal) ?? null;
  if (hearing !== null) return askUnlessHeard(call, hearing, asking);
  return call.verdict.effect === "allow" ? pass(approvedByRule(call)) : ask(call, asking);
}

async function askUnlessHeard(call: JudgedCall, hearing: Promise<AutomaticAnswer>, asking: Asking): Promise<Approving> {
  const heard = await afterHearing(call, hearing, asking);
  return heard.kind === "asks" ? await ask(heard.call, asking) : heard;
}

/** A question takes time. What was approved is judged again, and has to be the same to the byte. */
async function ask(call: JudgedCall, { raw, life, ports, signal }: Asking): Promise<Approving> {
  const { desk, probe } = ports;
  const question = await desk.question(call);
  if (signal.aborted) return refuse(CANCELLED);
  const opened = await life.ask(call, question);
  if (opened.kind === "failed") return refuse(opened.refusal);
  probe.reached("asked", raw.callId);
  if (raw.caller === "detached") return { kind: "ended", outcome: life.pending(question, opened.receipt) };

  const settled = await desk.settle(call, question, signal);
  if (settled.kind === "failed") return refuse(settled.refusal);
  probe.reached("answered", raw.callId);
  const { answer, receipt } = settled;
  if (answer.kind !== "approve") {
    return { kind: "ended", outcome: life.refused(notApproved(answer), receipt) };
  }
  life.approved();
  const again = await decide(raw, ports, signal);
  return again.kind === "refuse" ? again : approvedByPerson(again.call, question.shown, answer);
}
