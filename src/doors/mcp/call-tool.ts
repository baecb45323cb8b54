import type { CallToolRequest, CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { outcomeOn } from "../../formats/mapped-code.ts";
import { callResult } from "./call-result.ts";
import { type CallParts, governedCall } from "./governed-call.ts";

/** What the codes of mapped errors are those of. */
const VERSION = { legacy: "2025-11-25", modern: "2026-07-28" } as const;

type Params = CallToolRequest["params"];

/** `tools/call`, in both eras. */
export async function callTool(
  { name, arguments: input = {} }: Params,
  ctx: ServerContext,
  parts: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const offer = parts.gate.offer("mcp");
  const read = { id: String(ctx.mcpReq.id), isIdGiven: true, name, input: { value: input as JsonValue } };
  const meant = offer.meant(read);
  if (meant.kind === "refused") {
    const { refusal } = meant;
    return callResult({ kind: "refused", callId: read.id, tool: name, durationMs: 0, refusal }, { content: [] });
  }
  const told = (ended: Outcome) => {
    const outcome = outcomeOn({ protocol: "mcp", version: VERSION[parts.era] }, ended);
    const [result] = parts.gate.offer("mcp").results([{ call: { ...read, id: outcome.callId }, outcome }]);
    return callResult(outcome, result ?? { content: [] });
  };
  return await governedCall({ tool: meant.tool, input: meant.input, told }, ctx, parts);
}
