import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import { type ApprovedCall, type JudgedCall, pass, type RawCall, refuse, type Step } from "../domain/call.ts";
import { approvedAsHeard, notApproved, STALE } from "./approve.ts";
import { judgedCall } from "./call-states.ts";
import { decide } from "./decide.ts";
import type { Life } from "./life.ts";
import { CANCELLED } from "./own-refusals.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";

/** Whoever could answer by itself leaves it to a person. */
export interface Asks {
  readonly kind: "asks";
  readonly call: JudgedCall;
}

interface Hearing {
  readonly raw: RawCall;
  readonly life: Life;
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
}

/**
 * What policies and governors make of a call. Hearing them takes time: what would run now has to be what they were told of,
 * to the byte, and is judged again.
 */
export async function afterHearing(
  call: JudgedCall,
  hearing: Promise<AutomaticAnswer>,
  { raw, life, ports, signal }: Hearing,
): Promise<Step<ApprovedCall> | Asks> {
  const answer = await hearing;
  life.heard(call, answer);
  if (signal.aborted) return refuse(CANCELLED);
  if (answer.kind === "reject") return refuse({ ...notApproved(rejection(answer)), ruleId: answer.who });
  if (answer.kind === "person") return { kind: "asks", call: doubted(call, answer) };
  if (answer.kind === "silent" && call.verdict.effect === "ask") return { kind: "asks", call };
  const again = await decide(raw, ports, signal);
  if (again.kind === "refuse") return again;
  return again.call.seal.digest === call.seal.digest ? pass(approvedAsHeard(again.call, answer)) : refuse(STALE);
}

const rejection = ({ who, reason }: Extract<AutomaticAnswer, { kind: "reject" }>) =>
  ({ kind: "reject", who, ...(reason !== null && { reason }) }) as const;

/** INVARIANT (strictest wins): a doubt makes a question of what a rule allows, and never the other way round. */
function doubted(call: JudgedCall, { who, reason }: Extract<AutomaticAnswer, { kind: "person" }>): JudgedCall {
  const { verdict, plan } = call;
  const [touch] = plan.touches;
  const touches = [...verdict.touches, { touch, effect: "ask", ruleId: who, because: reason } as const];
  const ruleId = verdict.effect === "ask" ? verdict.ruleId : who;
  return judgedCall(call, { ...verdict, effect: "ask", ruleId, touches }, call.seal, call.preview);
}
