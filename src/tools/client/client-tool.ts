import type { Tool } from "../../domain/call.ts";
import type { ClientToolSpec } from "../../domain/client-tool.ts";
import { digestOf } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import { mappedTouches } from "../foreign/mapped-touches.ts";
import { makeTool } from "../make-tool.ts";
import { type CommandPlace, clientCommand } from "./client-command.ts";
import type { Executors } from "./executors.ts";

export interface ClientToolParts extends CommandPlace {
  readonly executors: Pick<Executors, "run">;
  /** Whether clients can connect to this process. */
  readonly isServing: () => boolean;
}

/** A tool of the operator's that a connected client runs. */
export function clientTool(spec: ClientToolSpec, { executors, isServing, ...place }: ClientToolParts): Tool {
  const { name, timeoutMs, touches, exec } = spec;
  const definition = definitionFrom(spec);
  const definitionDigest = digestOf(definition);
  return makeTool({
    definition,
    admit: () => (isServing() ? null : NOT_SERVING),
    plan: async ({ input }) => ({
      kind: "drafted",
      plan: {
        touches: [
          { definitionDigest, kind: "tool", name },
          ...(await mappedTouches({ touches: { "*": touches }, way: {} }, name, input, place.files)),
          ...(exec === null ? [] : await clientCommand(exec, input, place)),
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
