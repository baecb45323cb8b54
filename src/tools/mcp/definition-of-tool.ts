import type { UpstreamTool } from "../../domain/upstream.ts";

/** A tool with whatever else may stand beside what is pinned of it. */
type Listed = Pick<UpstreamTool, "name" | "inputSchema"> & {
  readonly [Member in keyof UpstreamTool]?: UpstreamTool[Member] | undefined;
};

/**
 * What of a tool is pinned, and nothing else of it: all that a model or a person is told by it. INVARIANT (one choice): its digest is
 * made of this, so what is kept and shown is what was compared.
 */
export const definitionOfTool = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Listed): UpstreamTool => ({
  name,
  inputSchema,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(outputSchema !== undefined && { outputSchema }),
  ...(annotations !== undefined && { annotations }),
});
