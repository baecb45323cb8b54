import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import { type Lease, narrowedTo } from "../../domain/lease.ts";
import type { Outcome, Refusal } from "../../domain/outcome.ts";
import type { Progress } from "../../domain/tool.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { Gate } from "../../wiring/gate.ts";
import { withinTrace } from "../../wiring/tracing.ts";
import { maySaveRules } from "../wire/identity.ts";
import { askByElicitation, type ClientFacts, canFillForms } from "./client-facts.ts";
import { OpenCall, type Raised } from "./open-call.ts";
import type { OpenCalls, RoundState } from "./open-calls.ts";
import { type FormAnswer, formAnswer, personsAnswer, questionForm } from "./question-form.ts";
import type { Rooted } from "./rooted-session.ts";
import { leaseWithin, UNTOLD } from "./roots.ts";
import { progressTeller } from "./tell-progress.ts";
import { tellWaiting } from "./tell-waiting.ts";

/** What a connection has that its calls need. */
export interface CallParts {
  readonly gate: Gate;
  readonly era: "legacy" | "modern";
  readonly calls: OpenCalls;
  /** Within a request, where there is one: some clients can be asked for their roots only there. */
  readonly session: Rooted["session"];
  /** To be told of each request for as long as it waits. */
  readonly waiting?: Rooted["waiting"] | undefined;
  /** Whether roots have to be asked for with each call, as clients of 2026-07-28 have it. */
  readonly roots: "asked" | "settled";
  /** As the door has verified it: what a client says of itself is no part of it. */
  readonly actor: string;
  readonly roles: readonly string[] | undefined;
  /** Null: the session may start one more call. Left out: as many as it likes. */
  readonly admit?: (() => Refusal | null) | undefined;
  readonly client: (ctx: ServerContext) => ClientFacts;
  /** Whether the person behind the client may be asked, or only the desk. */
  readonly ask: "client" | "desk";
  /** Who is asked where the client is not: the person in front of an agent that is the client. */
  readonly askElsewhere?: Approver["ask"] | undefined;
}

/** A request that is a call of the gate, and how its end is told on this wire. */
export interface Governed<Result> {
  /** By the gate's own name. */
  readonly tool: string;
  readonly input: JsonValue;
  /** Throws where the wire has an error for it. */
  readonly told: (outcome: Outcome) => Result;
}

const QUESTION = "approval";
const ROOTS = "roots";

/** Makes a governed call of a request, in both eras: `tools/call`, `prompts/get` and `resources/read` are alike. */
export async function governedCall<Result>(
  request: Governed<Result>,
  ctx: ServerContext,
  parts: CallParts,
): Promise<Result | InputRequiredResult> {
  const state = ctx.mcpReq.requestState<RoundState>();
  return state === undefined ? await firstRound(request, ctx, parts) : await laterRound(request, state, ctx, parts);
}

async function firstRound<Result>(
  request: Governed<Result>,
  ctx: ServerContext,
  parts: CallParts,
): Promise<Result | InputRequiredResult> {
  const { id } = ctx.mcpReq;
  using _waits = parts.waiting?.(ctx);
  const said = saidRoots(ctx, parts);
  if (said === "ask") return inputRequired({ inputRequests: { [ROOTS]: inputRequired.listRoots() } });
  const session = async () => {
    const base = await parts.session(ctx);
    return said === null ? base : narrowedTo(base, said);
  };
  const open = () => openCall(request, id, { ...parts, session });
  const call = await withinTrace(() => traceOf(ctx), open);
  const tell = progressTeller(ctx);
  using _ = call.attend(ctx.mcpReq.signal, tell);
  const event = await call.next();
  if (event.kind === "ended") return request.told(event.outcome);
  return await ask(call, event.question, request, ctx, parts, tell);
}

/**
 * What the roots of a client of 2026-07-28 narrow it to; null = nothing. It does not tell of changes, so that each call has
 * to ask: a request without an answer is given back with the question, and one that has been asked and names none does nothing.
 */
function saidRoots(ctx: ServerContext, { client, gate, roots }: CallParts): Lease | "ask" | null {
  if (roots === "settled" || client(ctx).capabilities.roots === undefined) return null;
  const { inputResponses } = ctx.mcpReq;
  if (inputResponses === undefined) return "ask";
  const said = inputResponse(inputResponses, ROOTS);
  return said.kind === "roots" ? leaseWithin(said.roots as unknown as readonly JsonValue[], gate.workspace) : UNTOLD;
}

const TRACE = ["traceparent", "tracestate", "baggage"] as const;

/** What the client's own span is called: it stands in the request, also where there are no headers. */
function traceOf({ mcpReq: { _meta = {} } }: ServerContext): Headers {
  const said = TRACE.flatMap((name) => {
    const value = (_meta as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" && PRINTABLE.test(value) ? [[name, value] as [string, string]] : [];
  });
  return new Headers(said);
}

/** What can stand in a header; other characters are none that a trace has. */
const PRINTABLE = /^[\x20-\x7e]{1,8192}$/;

/** Makes the call, unless the session has made too many. */
async function openCall(
  { tool, input }: Governed<unknown>,
  id: string | number,
  { gate, actor, session: ofConnection, admit }: CallParts,
): Promise<OpenCall> {
  const session = await ofConnection();
  const refusal = admit?.() ?? null;
  if (refusal === null) return new OpenCall((options) => gate.call({ tool, input, session, actor }, options));
  const refused = { kind: "refused", callId: String(id), tool, durationMs: 0, budgetConsumed: 0, refusal } as const;
  return new OpenCall(() => Promise.resolve(refused));
}

/** A person is needed: the one behind the client if it can show a form, or whoever is at another door. */
async function ask<Result>(
  call: OpenCall,
  question: Raised,
  request: Governed<Result>,
  ctx: ServerContext,
  parts: CallParts,
  tell: (progress: Progress) => void,
): Promise<Result | InputRequiredResult> {
  const facts = parts.client(ctx);
  const canAsk = parts.ask === "client" && canFillForms(facts);
  if (canAsk && parts.era === "modern") {
    const requestState = await parts.calls.keep(call, question, named(request), ctx);
    if (requestState !== null) return roundOf(call, question, requestState, parts);
  }
  using _ = tellWaiting(question, tell);
  if (canAsk && parts.era === "legacy") {
    const form = formFor(call, question, parts);
    const asking = askByElicitation(form, question, ctx).catch((cause) => {
      parts.gate.faults.report(cause, { stage: "door" });
      return null;
    });
    void asking.then((answer) => (answer === null ? call.answer(null) : answered(call, question, answer, parts)));
  } else void askElsewhere(call, question, parts);
  return request.told(await call.outcome);
}

/** Null: it waits for another door. */
async function askElsewhere(call: OpenCall, question: Raised, { askElsewhere: ask, gate }: CallParts): Promise<void> {
  const { shown, approvalId, deadlineMs, signal } = question;
  const asking = ask?.(shown, { approvalId, deadlineMs }, signal).catch((cause) => {
    gate.faults.report(cause, { stage: "door" });
    return null;
  });
  call.answer((await asking) ?? null);
}

const roundOf = (call: OpenCall, question: Raised, requestState: string, parts: CallParts): InputRequiredResult =>
  inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit(formFor(call, question, parts)) },
    requestState,
  });

/** Without roles it is who started this process. */
function formFor(call: OpenCall, { shown }: Raised, { gate, roles }: CallParts) {
  const proposal = roles === undefined || maySaveRules(roles) ? gate.always.propose(shown, "approve") : null;
  call.offered = proposal?.ok ? proposal : null;
  return questionForm(shown, call.offered);
}

async function laterRound<Result>(
  request: Governed<Result>,
  state: RoundState,
  ctx: ServerContext,
  parts: CallParts,
): Promise<Result | InputRequiredResult> {
  const { call, question } = parts.calls.take(state, named(request));
  using _ = call.attend(ctx.mcpReq.signal, progressTeller(ctx));
  const said = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  if (said.kind === "missing" && !question.signal.aborted) {
    const requestState = await parts.calls.keep(call, question, named(request), ctx);
    if (requestState !== null) return roundOf(call, question, requestState, parts);
  }
  const answer = said.kind === "elicit" ? formAnswer(said.action, said.content) : ({ kind: "reject" } as const);
  answered(call, question, answer, parts);
  return request.told(await call.outcome);
}

/** Takes the answer to the desk, where the first one wins. */
function answered(call: OpenCall, { approvalId }: Raised, answer: FormAnswer, { gate, actor, roles }: CallParts): void {
  if (answer.kind === "withdraw") {
    call.withdraw();
    return;
  }
  const said = { ...personsAnswer(answer.kind, actor), roles };
  const rule = answer.kind === "always" ? call.offered : null;
  call.answer(rule ? { ...said, onCounted: () => gate.always.save(rule, { who: actor, approvalId }) } : said);
}

const named = ({ tool, input }: Governed<unknown>) => ({ name: tool, input });
