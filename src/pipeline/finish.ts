import type { Spending } from "../domain/budget.ts";
import type { ApprovedCall } from "../domain/call.ts";
import type { Code } from "../domain/codes.ts";
import { LIMITS } from "../domain/limits.ts";
import { isPromise, type Now } from "../domain/now.ts";
import type { Completed, Failure, Outcome, Unknown } from "../domain/outcome.ts";
import type { SandboxReport } from "../domain/sandbox-report.ts";
import type { RunResult } from "../domain/tool.ts";
import { isFileTouch } from "../domain/touch.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Faults } from "../ports/faults.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { SeenTexts } from "../redact/seen-texts.ts";
import { inputBytes } from "../rules/budget.ts";
import type { Ran } from "./execute.ts";
import type { Finished, Unrecorded } from "./finished.ts";
import { type Fitted, fitResult, isOverLimit, type Keep, type Result } from "./fit-result.ts";
import { plainTexts } from "./plain-texts.ts";
import { withinBytes } from "./result-bytes.ts";
import { shownFailure } from "./shown-refusal.ts";

/** What it took. */
export interface Effort {
  readonly durationMs: number;
  readonly attempts: number;
  readonly budgetConsumed: number;
  /** What the session's budget held for it, where that is counted. */
  readonly held?: Spending | undefined;
}

export interface FinishPorts {
  readonly faults: Faults;
  readonly redactor: Redactor;
  readonly blobs: Blobs;
}

/**
 * Seventh stage. Turns how the run ended into the one outcome that the caller gets.
 * INVARIANT (redact first): secrets go before anything is hashed, cut or kept.
 */
export function finish(call: ApprovedCall, ran: Ran, effort: Effort, ports: FinishPorts): Now<Finished> {
  const bytesMax = resultBytesMax(call, effort.held);
  const finished = finishedBy(call, ran, effort, ports, bytesMax);
  if (bytesMax === undefined) return finished;
  return Promise.resolve(finished).then((whole) => withinBytes(whole, bytesMax, keeping(call, ports)));
}

function finishedBy(
  call: ApprovedCall,
  ran: Ran,
  effort: Effort,
  ports: FinishPorts,
  bytesMax: number | undefined,
): Now<Finished> {
  switch (ran.kind) {
    case "returned":
      return fromResult(call, ran.result, effort, ports, bytesMax);
    case "threw":
      // The cause stays inside: its text may hold anything. The tool did end, so this is a failure and not an unknown.
      return failed(baseOf(call, effort), "TOOL_FAILED", "the tool ended with an error of its own");
    case "stopped": {
      const base = baseOf(call, effort);
      if (!ran.proven) return { state: "unknown", outcome: unknownOutcome(call, base), resultText: null };
      return stopped(call, ran, base, { ...ports, held: effort.held });
    }
    default:
      return ran satisfies never;
  }
}

/** What it had said by then is kept: often it tells why it took so long. */
function stopped(
  call: ApprovedCall,
  ran: Extract<Ran, { kind: "stopped" }>,
  base: Base,
  { held, ...ports }: FinishPorts & { readonly held: Spending | undefined },
): Now<Finished> {
  const { redactor } = ports;
  const ended =
    ran.why === "timeout"
      ? {
          ...late(call, base, ran.late, { redactor, held }),
          state: "timed_out" as const,
        }
      : { ...failed(base, "CANCELLED", "the caller cancelled"), state: "cancelled" as const };
  const said = ran.content ?? [];
  const saidSo = ({ content, truncated: fitted }: Fitted): Finished => {
    // What a tool has left out itself is the more.
    const truncated = ran.truncated ?? fitted;
    const outcome = { ...ended.outcome, content, ...(truncated && { truncated }), ...heldBy(call) };
    return { ...ended, outcome: outcome as Unrecorded };
  };
  const saying = (seen: SeenTexts | null): Now<Finished> => {
    const { content } = redactor.redactContent(said, seen);
    const jsonText = JSON.stringify({ content });
    if (!isOverLimit({ content }, jsonText)) return saidSo({ content });
    return fitResult({ content }, jsonText, keeping(call, ports)).then(saidSo);
  };
  const ahead = redactor.ahead(said);
  return ahead === null ? saying(null) : ahead.then(saying);
}

function timeOver({ plan }: ApprovedCall, held: Spending | undefined): string {
  if (held === undefined || held.timeMs >= plan.timeoutMs) return `the tool did not end within ${plan.timeoutMs} ms`;
  return `the tool did not end within the ${held.timeMs} ms that the session's budget had left`;
}

/** The result is cut to what is left, as it is cut to what fits. Undefined: bytes are not counted. */
const resultBytesMax = ({ plan }: ApprovedCall, held: Spending | undefined): number | undefined =>
  held === undefined || !Number.isFinite(held.bytes)
    ? undefined
    : Math.min(held.bytes - inputBytes(plan), LIMITS.resultBytes.default);

function late(
  call: ApprovedCall,
  base: Base,
  said: Extract<Ran, { kind: "stopped" }>["late"],
  { redactor, held }: { readonly redactor: Redactor; readonly held: Spending | undefined },
): Finished {
  const ended = failed(base, "TIMEOUT", timeOver(call, held));
  if (said === undefined || ended.outcome.kind !== "failed") return ended;
  const error = shownFailure({ ...ended.outcome.error, ...said }, redactor, call.plan.workspace);
  return { ...ended, outcome: { ...ended.outcome, error } };
}

/** Of a call that starts a program: what held it in. */
const heldBy = ({ plan }: ApprovedCall): { readonly sandbox?: SandboxReport } =>
  plan.sandbox === undefined ? {} : { sandbox: plan.sandbox.report };

type Base = Required<Pick<Outcome, "callId" | "tool" | "durationMs" | "budgetConsumed">>;

const baseOf = ({ callId, plan }: ApprovedCall, { durationMs, budgetConsumed }: Effort): Base => ({
  callId,
  tool: plan.tool,
  durationMs,
  budgetConsumed,
});

function fromResult(
  call: ApprovedCall,
  result: RunResult,
  effort: Effort,
  ports: FinishPorts,
  bytesMax: number | undefined,
): Now<Finished> {
  if (result.kind === "stopped")
    return { ...failed(baseOf(call, effort), "CANCELLED", "the tool stopped"), state: "cancelled" };
  if (result.kind === "lost")
    return { state: "unknown", outcome: unknownOutcome(call, baseOf(call, effort)), resultText: null };
  const ended = (clean: Clean | null) =>
    clean === null
      ? failed(baseOf(call, effort), "TOOL_FAILED", "the tool ended with a result that is not JSON")
      : fromClean(call, result, clean, effort, ports, bytesMax);
  const cleaning = withoutSecrets(call, result, ports, bytesMax);
  return isPromise(cleaning) ? cleaning.then(ended) : ended(cleaning);
}

function fromClean(
  call: ApprovedCall,
  result: Said,
  clean: Clean,
  effort: Effort,
  ports: FinishPorts,
  bytesMax: number | undefined,
): Now<Finished> {
  const { jsonText } = clean;
  const resultText = typeof jsonText === "string" ? () => jsonText : jsonText;
  const endedWith = (fitting: Fitted): Now<Finished> => {
    // What a tool has left out itself is the more.
    const fitted = result.truncated === undefined ? fitting : { ...fitting, truncated: result.truncated };
    if (result.kind === "completed")
      return { state: "completed", outcome: completed(call, effort, result, fitted), resultText };
    const { error } = result;
    const failedAs = (seen: SeenTexts | null) =>
      failedWith(call, baseOf(call, effort), shownFailure(error, ports.redactor, call.plan.workspace, seen), fitted);
    const ahead = ports.redactor.ahead([error]);
    return ahead === null ? failedAs(null) : ahead.then(failedAs);
  };
  if (typeof jsonText !== "string" || !isOverLimit(clean.result, jsonText, bytesMax)) return endedWith(clean.result);
  return fitResult(clean.result, jsonText, keeping(call, ports), bytesMax).then(endedWith);
}

function failedWith(call: ApprovedCall, base: Base, error: Failure, { content, truncated }: Fitted): Finished {
  const outcome = {
    kind: "failed" as const,
    ...base,
    error,
    content,
    ...(truncated && { truncated }),
    ...heldBy(call),
  };
  return { state: "failed", outcome, resultText: null };
}

const keeping =
  ({ project }: ApprovedCall, { blobs }: FinishPorts): Keep =>
  async (bytes) => {
    const stored = await blobs.put(project, bytes);
    return stored.ok ? stored.value.hash : null;
  };

function completed(
  { callId, plan }: ApprovedCall,
  { durationMs, budgetConsumed, attempts }: Effort,
  { exitCode, cached }: Extract<RunResult, { kind: "completed" }>,
  { content, structured, truncated }: Fitted,
): Omit<Completed, "receipt"> {
  const { containment, sandbox, tool } = plan;
  const outcome = {
    kind: "completed" as const,
    callId,
    tool,
    durationMs,
    budgetConsumed,
    attempts,
    content,
    cached: cached === true,
    containment,
  };
  const hasMore = structured !== undefined || (truncated ?? exitCode ?? sandbox) !== undefined;
  if (!hasMore) return outcome;
  return {
    ...outcome,
    ...(structured !== undefined && { structured }),
    ...(truncated && { truncated }),
    ...(typeof exitCode === "number" && { exitCode }),
    ...(sandbox && { sandbox: sandbox.report }),
  };
}

interface Clean {
  readonly result: Result;
  /** A function where it is certain to have one, which is short: then it is written when somebody asks for it. */
  readonly jsonText: string | (() => string);
}

type Said = Exclude<RunResult, { kind: "stopped" | "lost" }>;

/** Null: no JSON (a circle, a bigint), so neither the ledger nor a door could hold it. */
function withoutSecrets(
  { callId, tool }: ApprovedCall,
  given: Said,
  { faults, redactor }: FinishPorts,
  bytesMax: number | undefined,
): Now<Clean | null> {
  const isForeign = tool.definition.source === "function";
  const notClean = (cause: unknown): null => {
    // A function of the program may return a bigint, or a circle that is as deep as the stack.
    const isNotJson = cause instanceof TypeError || cause instanceof RangeError;
    if (!(isForeign && isNotJson)) faults.report(cause, { stage: "finish", callId });
    return null;
  };
  try {
    const content = given.content ?? [];
    const structured = "structured" in given ? given.structured : undefined;
    const texts = structured === undefined && bytesMax === undefined ? plainTexts(content, redactor) : null;
    if (texts !== null) {
      const result = { content: texts };
      return { result, jsonText: () => JSON.stringify(result) };
    }
    const written = isForeign ? ownWritten : justWritten;
    const clean = (seen: SeenTexts | null): Clean =>
      structured === undefined
        ? written({ content: redactor.redactContent(content, seen).content })
        : written(redactor.redactResult(content, structured, seen));
    const ahead = redactor.ahead([content, structured]);
    return ahead === null ? clean(null) : ahead.then(clean).catch(notClean);
  } catch (cause) {
    return notClean(cause);
  }
}

const justWritten = (result: Result): Clean => ({ result, jsonText: JSON.stringify(result) });

/**
 * INVARIANT (redacted = told = recorded): a function may go on with the objects that it gave us, so what was written of them
 * is what there is. Other tools' results are made for the call, and nobody else has them.
 */
function ownWritten(result: Result): Clean {
  const jsonText = JSON.stringify(result);
  return { result: JSON.parse(jsonText) as Result, jsonText };
}

const failed = (base: Base, code: Code, message: string): Finished => ({
  state: "failed",
  outcome: { kind: "failed", ...base, error: { code, message, retryable: false }, content: [] },
  resultText: null,
});

/** A call that only reads may be made again; nothing else is, by anybody but a person. */
export const unknownOutcome = (call: ApprovedCall, base: Base): Omit<Unknown, "receipt"> => ({
  kind: "unknown",
  ...base,
  error: {
    code: "OUTCOME_UNKNOWN",
    message: "the call was started and its end is not known; look at what it touched before making it again",
    retryable: call.plan.touches.every((touch) => isFileTouch(touch) && touch.kind === "read"),
  },
});
