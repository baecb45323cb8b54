import { type ApprovedCall, type JudgedCall, pass, type RawCall, refuse, type Step } from "../domain/call.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import type { Progress } from "../domain/tool.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock } from "../ports/clock.ts";
import type { Desk } from "../ports/desk.ts";
import type { Journal } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import type { Redactor } from "../redact/redactor.ts";
import { approve } from "./approve.ts";
import { execute } from "./execute.ts";
import { judge } from "./judge.ts";
import { Life } from "./life.ts";
import { plan } from "./plan.ts";
import { resolve } from "./resolve.ts";
import { validate } from "./validate.ts";

export interface PipelinePorts {
  readonly blobs: Blobs;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly journal: Journal;
  readonly probe: Probe;
  /** `journal` and `desk` have it inside already: `redacted-journal.ts`, `redacted-desk.ts`. */
  readonly redactor: Redactor;
  readonly ruleBook: RuleBook;
  readonly workspace: string;
  readonly progress: (callId: string, progress: Progress) => void;
}

/** The whole life of a call. Nothing happens before the ledger entry that tells of it is durable. */
export async function run(raw: RawCall, ports: PipelinePorts, signal: AbortSignal): Promise<Outcome> {
  const life = new Life(raw, ports);
  try {
    const judged = await decide(raw, ports, signal);
    if (judged.kind === "refuse") return await life.refuse(judged.refusal);

    const isAsked = judged.call.verdict.effect === "ask";
    const approved = await (isAsked ? ask(judged.call, life, raw, ports, signal) : approve(judged.call, ports, signal));
    if (approved.kind === "refuse") return await life.refuse(approved.refusal);
    ports.probe.reached("approved", raw.callId);
    if (signal.aborted) return await life.refuse(CANCELLED);

    const start = await life.start(approved.call);
    if (start.kind === "failed") return await life.notStarted(start.refusal);
    ports.probe.reached("started", raw.callId);

    const ran = await execute(approved.call, ports, signal);
    ports.probe.reached("ran", raw.callId);
    return await life.end(approved.call, ran);
  } catch {
    return await life.fault();
  }
}

/** Stages one to four: what would happen, and whether it may. Nothing runs, nothing is written. */
async function decide(raw: RawCall, ports: PipelinePorts, signal: AbortSignal): Promise<Step<JudgedCall>> {
  const { probe } = ports;
  probe.reached("received", raw.callId);
  const resolved = resolve(raw, ports);
  if (resolved.kind === "refuse") return resolved;
  probe.reached("resolved", raw.callId);
  const valid = validate(resolved.call, ports);
  if (valid.kind === "refuse") return valid;
  probe.reached("validated", raw.callId);
  const planned = await plan(valid.call, ports, signal);
  if (planned.kind === "refuse") return planned;
  probe.reached("planned", raw.callId);
  const judged = judge(planned.call, ports);
  probe.reached("judged", raw.callId);
  return judged;
}

/** A question takes time. What was approved is judged again, and has to be the same to the byte. */
async function ask(
  call: JudgedCall,
  life: Life,
  raw: RawCall,
  ports: PipelinePorts,
  signal: AbortSignal,
): Promise<Step<ApprovedCall>> {
  const { probe } = ports;
  const opened = await life.ask(call);
  if (opened.kind === "failed") return refuse(opened.refusal);
  probe.reached("asked", raw.callId);

  const approved = await approve(call, ports, signal);
  if (approved.kind === "refuse") return approved;
  probe.reached("answered", raw.callId);
  const answered = await life.answer(approved.call);
  if (answered.kind === "failed") return refuse(answered.refusal);

  const again = await decide(raw, ports, signal);
  if (again.kind === "refuse") return again;
  return again.call.seal.digest === call.seal.digest
    ? pass({ ...again.call, approval: approved.call.approval })
    : refuse(STALE);
}

const STALE: Refusal = {
  code: "APPROVAL_STALE",
  stage: "approve",
  message: "what was approved is no longer what would run: a file, a rule or the tool changed meanwhile",
  hint: "make the call again and look at it anew",
};

const CANCELLED: Refusal = { code: "CANCELLED", stage: "approve", message: "the call was cancelled before it started" };
