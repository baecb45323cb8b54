import type { PlannedCall } from "./call.ts";
import type { Containment } from "./containment.ts";
import type { JsonObject } from "./json.ts";
import type { Session } from "./lease.ts";
import type { SandboxBackend } from "./sandbox-report.ts";
import type { ToolSource } from "./tool.ts";
import type { ToolEffects, Trust } from "./tool-effects.ts";
import type { Touch } from "./touch.ts";

/** What rules may ask about a call, beside the touch that they judge. */
export interface CallFacts {
  readonly tool: string;
  readonly source: ToolSource;
  readonly containment: Containment;
  /** Who holds in the program that it starts; absent = it starts none. */
  readonly sandbox?: SandboxBackend | undefined;
  readonly effects?: ToolEffects | undefined;
  readonly trust?: Trust | undefined;
  readonly touches: readonly Touch[];
  readonly input: JsonObject;
  readonly actor: string;
  readonly project: string;
  readonly session: Session;
  readonly nowMs: number;
}

/** One object for all touches of a call: what conditions see is built from it once. */
export function factsOf({ plan, tool, actor, project, session }: PlannedCall, nowMs: number): CallFacts {
  const { source, effects, trust } = tool.definition;
  return {
    tool: plan.tool,
    source,
    containment: plan.containment,
    sandbox: plan.sandbox?.report.backend,
    effects,
    trust,
    touches: plan.touches,
    input: plan.input,
    actor,
    project,
    session,
    nowMs,
  };
}
