import type { RawCall } from "../domain/call.ts";
import type { Touch } from "../domain/touch.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";
import { plan } from "./plan.ts";
import { resolve } from "./resolve.ts";
import { validate } from "./validate.ts";

/** What is asked for: that the call is made, or only what would come of it. */
export type Op = "call" | "explain";

type ForeseePorts = Pick<PipelinePorts, "catalog" | "faults" | "workspace">;

/**
 * What a call would touch, for nothing but its place among others: when its turn comes it is planned and judged anew.
 * None = it is refused whatever the others do.
 */
export async function foresee(
  raw: RawCall,
  op: Op,
  ports: ForeseePorts,
  signal: AbortSignal,
): Promise<readonly Touch[]> {
  try {
    const resolved = resolve(raw, ports);
    if (resolved.kind === "refuse") return [];
    const valid = validate(resolved.call, ports);
    if (valid.kind === "refuse") return [];
    const planned = await plan(valid.call, ports, signal);
    // What the world does not let us plan now, it may once the calls before have ended.
    const touches = planned.kind === "refuse" ? ANYTHING : planned.call.plan.touches;
    return op === "call" ? touches : touches.map(readOnly);
  } catch (cause) {
    ports.faults.report(cause, { stage: "plan", callId: raw.callId });
    return op === "call" ? ANYTHING : ANYTHING.map(readOnly);
  }
}

const ANYTHING: readonly Touch[] = [{ kind: "unknown", reason: "it can't be planned yet" }];

/** An explanation changes nothing, and depends on what planning looks at. */
const readOnly = (touch: Touch): Touch =>
  "path" in touch ? { ...touch, kind: "read" } : { kind: "read", path: "/", tree: true };
