import type { CallToolRequest, CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { outcomeOn } from "../../formats/mapped-code.ts";
import { callResult } from "./call-result.ts";
import { type CallParts, type Governed, governedCall } from "./governed-call.ts";

/** What the codes of mapped errors are those of. */
const VERSION = { legacy: "2025-11-25", modern: "2026-07-28" } as const;

type Params = CallToolRequest["params"];

/** `tools/call`, in both eras. */
export async function callTool(
  params: Params,
  ctx: ServerContext,
  parts: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const request = requestOf(params, ctx.mcpReq.id, parts);
  return "refused" in request ? callResult(request.refused, { content: [] }) : await governedCall(request, ctx, parts);
}

/** What a call means to the gate, or why it means nothing. */
function requestOf(
  { name, arguments: input = {} }: Pick<Params, "name" | "arguments">,
  id: string | number,
  parts: CallParts,
): Governed<CallToolResult> | { readonly refused: Outcome } {
  const offer = parts.gate.offer("mcp");
  const read = { id: String(id), isIdGiven: true, name, input: { value: input as JsonValue } };
  const meant = offer.meant(read);
  if (meant.kind === "refused") {
    const { refusal } = meant;
    return { refused: { kind: "refused", callId: read.id, tool: name, durationMs: 0, refusal } };
  }
  const told = (ended: Outcome) => {
    const outcome = outcomeOn({ protocol: "mcp", version: VERSION[parts.era] }, ended);
    const [result] = parts.gate.offer("mcp").results([{ call: { ...read, id: outcome.callId }, outcome }]);
    return callResult(outcome, result ?? { content: [] });
  };
  return { tool: meant.tool, input: meant.input, told };
}
