import type { JsonValue } from "../../src/domain/json.ts";
import type { FormatName } from "../../src/formats/formats.ts";

/** A call as a test wants a model to make it. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}

type WriteResponse = (calls: readonly WrittenCall[], text?: string) => unknown;

const openAiCall = ({ id, name, input }: WrittenCall) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

/** A response of each provider with these calls in it: what it sends over the wire. MCP has one call in each request. */
export const RESPONSES: Readonly<Record<FormatName, WriteResponse>> = {
  anthropic: (calls, text = "I will.") => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "text", text: text },
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    ],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  openai: (calls, text = "I will.") => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
        logprobs: null,
        message: {
          role: "assistant",
          content: text,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls.map(openAiCall) }),
        },
      },
    ],
  }),
  "openai-responses": (calls, text = "I will.") => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [
      { type: "reasoning", id: "rs_1", summary: [] },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: text, annotations: [] }],
      },
      ...calls.map(({ id, name, input }, n) => ({
        type: "function_call",
        id: `fc_${n}`,
        call_id: id,
        name,
        arguments: JSON.stringify(input),
        status: "completed",
      })),
    ],
  }),
  gemini: (calls, text = "I will.") => ({
    candidates: [
      {
        index: 0,
        finishReason: "STOP",
        content: {
          role: "model",
          parts: [
            { text: text },
            ...calls.map(({ id, name, input }) => ({
              functionCall: { id, name, args: input },
              thoughtSignature: "c2ln",
            })),
          ],
        },
      },
    ],
  }),
  mistral: (calls, text = "I will.") => ({
    id: "cmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
        message: { role: "assistant", content: text, tool_calls: calls.length > 0 ? calls.map(openAiCall) : null },
      },
    ],
  }),
  bedrock: (calls, text = "I will.") => ({
    output: {
      message: {
        role: "assistant",
        content: [{ text: text }, ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }))],
      },
    },
    stopReason: calls.length > 0 ? "tool_use" : "end_turn",
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    metrics: { latencyMs: 1 },
  }),
  mcp: ([call]) => ({
    jsonrpc: "2.0",
    id: call?.id,
    method: "tools/call",
    params: { name: call?.name, arguments: call?.input },
  }),
  "a2a-acp": (calls) => ({
    toolCalls: calls.map(({ id, name, input }) => ({ id, toolId: name, parameters: input })),
  }),
};
