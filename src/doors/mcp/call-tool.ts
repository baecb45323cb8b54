import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import type { Session } from "../../domain/lease.ts";
import type { Outcome, Refusal } from "../../domain/outcome.ts";
import { outcomeOn } from "../../formats/mapped-code.ts";
import type { Gate } from "../../wiring/gate.ts";
import { callResult } from "./call-result.ts";
import { askByElicitation, type ClientFacts, canFillForms } from "./client-facts.ts";
import { OpenCall, type Raised } from "./open-call.ts";
import type { OpenCalls, RoundState } from "./open-calls.ts";
import { type FormAnswer, formAnswer, personsAnswer, questionForm } from "./question-form.ts";
import { progressTeller } from "./tell-progress.ts";

/** What a connection has that its calls need. */
export interface CallParts {
  readonly gate: Gate;
  readonly era: "legacy" | "modern";
  readonly calls: OpenCalls;
  readonly session: () => Promise<Session>;
  /** As the door has verified it: what a client says of itself is no part of it. */
  readonly actor: string;
  readonly roles: readonly string[] | undefined;
  /** Null: the session may start one more call. Left out: as many as it likes. */
  readonly admit?: ((session: Session) => Refusal | null) | undefined;
  readonly client: (ctx: ServerContext) => ClientFacts;
  /** Whether the person behind the client may be asked, or only the desk. */
  readonly ask: "client" | "desk";
}

type Params = CallToolRequest["params"];
type Answer = CallToolResult | InputRequiredResult;

const QUESTION = "approval";

/** `tools/call`, in both eras. */
export async function callTool(params: Params, ctx: ServerContext, parts: CallParts): Promise<Answer> {
  const state = ctx.mcpReq.requestState<RoundState>();
  return state === undefined ? await firstRound(params, ctx, parts) : await laterRound(params, state, ctx, parts);
}

async function firstRound(params: Params, ctx: ServerContext, parts: CallParts): Promise<Answer> {
  const { gate } = parts;
  const offer = gate.offer("mcp");
  const input = (params.arguments ?? {}) as JsonValue;
  const read = { id: String(ctx.mcpReq.id), isIdGiven: true, name: params.name, input: { value: input } };
  const meant = offer.meant(read);
  if (meant.kind === "refused") {
    return callResult(
      { kind: "refused", callId: read.id, tool: params.name, durationMs: 0, refusal: meant.refusal },
      { content: [] },
    );
  }
  const session = await parts.session();
  const { tool } = meant;
  const refusal = parts.admit?.(session) ?? null;
  if (refusal !== null)
    return callResult({ kind: "refused", callId: read.id, tool, durationMs: 0, refusal }, { content: [] });
  const { actor } = parts;
  const call = new OpenCall((options) => gate.call({ tool, input: meant.input, session, actor }, options));
  using _ = call.attend(ctx.mcpReq.signal, progressTeller(ctx));
  const event = await call.next();
  return event.kind === "ended"
    ? told(event.outcome, params, parts)
    : await ask(call, event.question, params, ctx, parts);
}

/** A person is needed: the one behind the client if it can show a form, or whoever is at another door. */
async function ask(
  call: OpenCall,
  question: Raised,
  params: Params,
  ctx: ServerContext,
  parts: CallParts,
): Promise<Answer> {
  const facts = parts.client(ctx);
  const canAsk = parts.ask === "client" && canFillForms(facts);
  if (canAsk && parts.era === "modern") {
    const requestState = await parts.calls.keep(call, question, requestOf(params), ctx);
    if (requestState !== null) return roundOf(question, requestState, parts);
  }
  if (canAsk && parts.era === "legacy") {
    const form = questionForm(question.shown, parts.gate);
    void askByElicitation(form, question, ctx).then((answer) =>
      answer === null ? elsewhere(call, question, ctx) : answered(call, question, answer, parts),
    );
  } else elsewhere(call, question, ctx);
  return told(await call.outcome, params, parts);
}

const roundOf = ({ shown }: Raised, requestState: string, { gate }: CallParts): InputRequiredResult =>
  inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit(questionForm(shown, gate)) }, requestState });

async function laterRound(params: Params, state: RoundState, ctx: ServerContext, parts: CallParts): Promise<Answer> {
  const { call, question } = parts.calls.take(state, requestOf(params));
  using _ = call.attend(ctx.mcpReq.signal, progressTeller(ctx));
  const said = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  if (said.kind === "missing" && !question.signal.aborted) {
    const requestState = await parts.calls.keep(call, question, requestOf(params), ctx);
    if (requestState !== null) return roundOf(question, requestState, parts);
  }
  const answer = said.kind === "elicit" ? formAnswer(said.action, said.content) : ({ kind: "reject" } as const);
  answered(call, question, answer, parts);
  return told(await call.outcome, params, parts);
}

/** Takes the answer to the desk, where the first one wins. */
function answered(call: OpenCall, { shown }: Raised, answer: FormAnswer, { gate, actor, roles }: CallParts): void {
  if (answer.kind === "withdraw") {
    call.withdraw();
    return;
  }
  const said = { ...personsAnswer(answer.kind, actor), roles };
  const proposal = answer.kind === "always" ? gate.always.propose(shown, "approve") : null;
  call.answer(proposal?.ok ? { ...said, onCounted: () => gate.always.save(proposal.rule) } : said);
}

/** Nobody answers here. It is said where, as far as the client follows progress; the desk shows it anyway. */
function elsewhere(call: OpenCall, { approvalId, deadlineMs, signal }: Raised, ctx: ServerContext): void {
  call.answer(null);
  if (signal.aborted) return;
  const tell = progressTeller(ctx);
  const until = new Date(deadlineMs).toISOString();
  const message = `waits until ${until} for a person: toolgate approvals approve ${approvalId}`;
  tell({ message });
}

const requestOf = ({ name, arguments: input = {} }: Params) => ({ name, input: input as JsonValue });

/** What the codes of mapped errors are those of. */
const VERSION = { legacy: "2025-11-25", modern: "2026-07-28" } as const;

function told(ended: Outcome, { name }: Params, { gate, era }: CallParts): CallToolResult {
  const outcome = outcomeOn({ protocol: "mcp", version: VERSION[era] }, ended);
  const call = { id: outcome.callId, isIdGiven: true, name, input: { value: {} } };
  const [result] = gate.offer("mcp").results([{ call, outcome }]);
  return callResult(outcome, result ?? { content: [] });
}
