import type { Session } from "../domain/lease.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import { outsideLease } from "../rules/lease.ts";

/** The tools whose names the lease covers that the session has now; none where it has none any more. */
export function toolsWithin(
  tools: readonly ToolDefinition[],
  session: Session,
  { leases, workspace }: Pick<PipelinePorts, "leases" | "workspace">,
): readonly ToolDefinition[] {
  const present = leases.present(session);
  if ("refusal" in present) return [];
  return tools.filter(({ name }) => outsideLease(present.lease, name, [], workspace) === null);
}
