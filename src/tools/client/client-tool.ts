import type { Tool } from "../../domain/call.ts";
import type { ClientToolSpec } from "../../domain/client-tool.ts";
import { digestOf } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import type { Files } from "../../ports/files.ts";
import { mappedTouches } from "../foreign/mapped-touches.ts";
import { makeTool } from "../make-tool.ts";
import type { Executors } from "./executors.ts";

export interface ClientToolParts {
  readonly executors: Pick<Executors, "run">;
  readonly files: Files;
  /** Whether clients can connect to this process. */
  readonly isServing: () => boolean;
}

/** A tool of the operator's that a connected client runs. */
export function clientTool(spec: ClientToolSpec, { executors, files, isServing }: ClientToolParts): Tool {
  const { name, timeoutMs, touches } = spec;
  const definition = definitionFrom(spec);
  const definitionDigest = digestOf(definition);
  return makeTool({
    definition,
    admit: () => (isServing() ? null : NOT_SERVING),
    plan: async ({ input }) => ({
      kind: "drafted",
      plan: {
        touches: [
          { kind: "tool", name, definitionDigest },
          ...(await mappedTouches({ touches: { "*": touches }, way: {} }, name, input, files)),
        ],
        operands: [],
        timeoutMs: timeoutMs + AROUND_MS,
      },
    }),
    run: (call, signal) => executors.run(call, timeoutMs, signal),
  });
}

/** What else it takes at most: until somebody has it, and until what they say has come. */
const AROUND_MS = LIMITS.executorWaitMs.default + LIMITS.executorGraceMs.default + 1000;

const definitionFrom = ({
  name,
  description,
  inputSchema,
  timeoutMs,
  effects,
  trust,
}: ClientToolSpec): ToolDefinition => ({
  name,
  description,
  source: "client",
  containment: "client",
  inputSchema,
  timeoutMs,
  ...(effects && { effects }),
  ...(trust && { trust }),
});

const NOT_SERVING: Refusal = {
  code: "EXECUTOR_UNAVAILABLE",
  stage: "execute",
  message: "this tool is run by a client that is connected to `toolgate serve`, and this is not it",
  hint: "make the call over HTTP or MCP to `toolgate serve`",
};
