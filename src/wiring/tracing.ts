import type { RawCall } from "../domain/call.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Faults } from "../ports/faults.ts";
import { VERSION } from "./version.ts";

/** Where OpenTelemetry's API keeps what a program has registered. Looking here costs nothing and loads nothing. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

type Source = ToolDefinition["source"];
type Registered = Readonly<Record<string, unknown>> | undefined;

/** Whether the program that the gate runs in has registered somebody to tell of spans. */
export const isTraced = (): boolean =>
  (globalThis as unknown as Record<symbol, Registered>)[REGISTERED]?.["trace"] !== undefined;

interface SourcePorts {
  readonly catalog: Catalog;
  readonly faults: Faults;
}

type TracedCall = Pick<RawCall, "callId" | "toolName" | "project" | "session">;

/**
 * A span for one call, by the names of the GenAI conventions (`execute_tool`). It names the tool, ids and codes, never
 * arguments or results. A call that waits for a person has two: until it was asked about, and from the answer on.
 */
export function traced(call: TracedCall, ports: SourcePorts, start: () => Promise<Outcome>): Promise<Outcome> {
  return withSpan(call, sourceOf(call, ports), start);
}

/** Undefined: there is no such tool. */
function sourceOf({ toolName }: TracedCall, { catalog, faults }: SourcePorts): Source | undefined {
  try {
    return catalog.find(toolName)?.definition.source;
  } catch (cause) {
    faults.report(cause, { stage: "resolve" });
    return; // the first stage meets the same fault, and makes an outcome of it
  }
}

/** Runs what a request leads to below the span that its headers name (`traceparent`). */
export function withinTrace<T>(headers: () => Headers, run: () => Promise<T>): Promise<T> {
  return isTraced() ? within(headers(), run) : run();
}

async function within<T>(headers: Headers, run: () => Promise<T>): Promise<T> {
  const { context, propagation } = await import("@opentelemetry/api");
  return await context.with(propagation.extract(context.active(), Object.fromEntries(headers)), run);
}

async function withSpan(
  { callId, toolName, project, session }: TracedCall,
  source: Source | undefined,
  start: () => Promise<Outcome>,
): Promise<Outcome> {
  const { context, SpanKind, SpanStatusCode, trace } = await import("@opentelemetry/api");
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolName,
    "gen_ai.tool.call.id": callId,
    "gen_ai.tool.type": source === "mcp" || source === "a2a" ? "extension" : "function",
    "gen_ai.conversation.id": session.id,
    "toolgate.project": project,
    ...(source !== undefined && { "toolgate.tool.source": source }),
  };
  const tracer = trace.getTracer("toolgate", VERSION);
  const span = tracer.startSpan(`execute_tool ${toolName}`, { kind: SpanKind.INTERNAL, attributes });
  try {
    const outcome = await context.with(trace.setSpan(context.active(), span), start);
    span.setAttributes(endOf(outcome));
    if (codeOf(outcome) !== null) span.setStatus({ code: SpanStatusCode.ERROR });
    return outcome;
  } finally {
    span.end();
  }
}

function codeOf(outcome: Outcome): string | null {
  if (outcome.kind === "refused") return outcome.refusal.code;
  return outcome.kind === "failed" || outcome.kind === "unknown" ? outcome.error.code : null;
}

function endOf(outcome: Outcome): Record<string, string | number> {
  const code = codeOf(outcome);
  return {
    "toolgate.outcome": outcome.kind,
    ...(code !== null && { "error.type": code }),
    ...(outcome.receipt && { "toolgate.receipt.seq": outcome.receipt.seq }),
    ...(outcome.kind === "refused" && outcome.refusal.ruleId && { "toolgate.rule.id": outcome.refusal.ruleId }),
  };
}
