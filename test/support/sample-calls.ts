import type {
  ApprovedCall,
  JudgedCall,
  PlannedCall,
  RawCall,
  ResolvedCall,
  Tool,
  ValidCall,
} from "../../src/domain/call.ts";
import { digestOf } from "../../src/domain/digest.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { NO_GRANT, type Plan } from "../../src/domain/plan.ts";
import type { NewQuestion, ShownPlan } from "../../src/domain/question.ts";
import type { Run, RunResult } from "../../src/domain/tool.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { Leases } from "../../src/ports/leases.ts";
import { makeTool } from "../../src/tools/make-tool.ts";

/** Signals for what nobody cancels. */
export const NEVER = new AbortController().signal;

export const WORKSPACE = "/w";

/** Leases of sessions that nobody opened: what they say. */
export const AS_GIVEN: Leases = { present: ({ lease }) => ({ lease }), exceeded: () => null };

export const READ: Touch = { kind: "read", path: "/w/a.txt" };
export const WRITE: Touch = { kind: "write", path: "/w/a.txt" };

export const DONE: RunResult = { kind: "completed", content: [{ type: "text", text: "done" }] };

export interface SampleTool {
  readonly name?: string;
  readonly touches?: readonly [Touch, ...Touch[]];
  readonly timeoutMs?: number;
  readonly inputSchema?: JsonObject;
  readonly run?: (call: ApprovedCall, signal: AbortSignal) => Run;
}

/** A tool with the given behaviour; by default it touches one file and is done. */
export function sampleTool({
  name = "sample",
  touches = [READ],
  timeoutMs = 1000,
  inputSchema,
  run,
}: SampleTool = {}): Tool {
  return makeTool({
    definition: {
      name,
      description: "a sample",
      source: "function",
      containment: "process",
      inputSchema: inputSchema ?? { type: "object" },
      timeoutMs,
    },
    plan: () => ({ kind: "drafted", plan: { touches, operands: [] } }),
    run:
      run ??
      async function* () {
        return DONE;
      },
  });
}

/** How a run ends, whichever way the runner tells. */
export async function resultOf(run: Run): Promise<RunResult> {
  if (!("next" in run)) return await run;
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
  }
}

export const rawCall = (more: Partial<RawCall> = {}): RawCall => ({
  callId: "call_1",
  toolName: "sample",
  rawInput: {},
  project: "default",
  session: { id: "session_1", project: "default", lease: EVERYTHING },
  owner: "owner_1",
  host: "host",
  actor: "local:ann",
  caller: "attended",
  receivedAtMs: 0,
  ...more,
});

export const resolvedCall = (more: Partial<ResolvedCall> = {}): ResolvedCall => ({
  ...rawCall(),
  tool: sampleTool(),
  ...more,
});

export const validCall = (more: Partial<ValidCall> = {}): ValidCall => ({ ...resolvedCall(), input: {}, ...more });

export function plannedCall(more: Partial<ValidCall> = {}, plan: Partial<Plan> = {}): PlannedCall {
  const call = validCall(more);
  const { definition, definitionDigest } = call.tool;
  return {
    ...call,
    plan: {
      containment: definition.containment,
      definitionDigest,
      host: call.host,
      input: call.input,
      operands: [],
      timeoutMs: definition.timeoutMs,
      tool: definition.name,
      touches: [READ],
      workspace: WORKSPACE,
      ...plan,
    },
  };
}

export function judgedCall(effect: "allow" | "ask" = "allow", more: Partial<ValidCall> = {}): JudgedCall {
  const { preview: _, ...call } = plannedCall(more);
  const touches = call.plan.touches.map((touch) => ({ touch, effect, ruleId: "r", because: null }));
  return {
    ...call,
    verdict: { effect, ruleId: "r", touches, risk: "LOW" },
    seal: { digest: digestOf("sealed"), grant: NO_GRANT, rulesHash: digestOf("rules") },
  };
}

export function shownPlan(more: Partial<ShownPlan> = {}): ShownPlan {
  const { plan, verdict, seal, actor } = judgedCall("ask");
  const { risk, ruleId, touches } = verdict;
  return { digest: seal.digest, planDigest: digestOf(plan), plan, risk, ruleId, touches, reasons: [], actor, ...more };
}

/** The question that `judgedCall("ask")` raises. */
export const newQuestion = (more: Partial<NewQuestion> = {}): NewQuestion => ({
  approvalId: "approval_1",
  project: "default",
  deadlineMs: 0,
  shown: shownPlan(),
  kept: null,
  ...more,
});

export const approvedCall = (more: Partial<ValidCall> = {}): ApprovedCall => ({
  ...judgedCall("allow", more),
  approval: { by: "rule", who: "r" },
});
