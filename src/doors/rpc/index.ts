/** `toolgate/apm2`: the messages of `apm2.tool.v1` and what answers them, a thin face over the gate. */
import type { Gate } from "../../wiring/gate.ts";
import { answerRequest } from "./answer-request.ts";

export {
  DecodeError,
  decodeToolRequest,
  decodeToolResponse,
  encodeToolRequest,
  encodeToolResponse,
} from "../../formats/apm2/codec.ts";
export type {
  ArtifactPublish,
  FileEdit,
  FileRead,
  FileWrite,
  GitOperation,
  InferenceCall,
  ShellExec,
  ToolDenied,
  ToolError,
  ToolRequest,
  ToolResponse,
  ToolSuccess,
} from "../../formats/apm2/messages.ts";
export { type ValidationError, validateToolRequest } from "../../formats/apm2/validate.ts";

/** Answers the bytes of one `ToolRequest` with those of its `ToolResponse`. The session is the one of its token. */
export const answerToolRequest = (
  gate: Gate,
  bytes: Uint8Array,
  { signal, from }: { readonly signal?: AbortSignal; readonly from?: string } = {},
): Promise<Uint8Array> =>
  answerRequest(bytes, {
    gate,
    make: (call) => gate.call(call, { ...(signal && { signal }) }),
    ...(from !== undefined && { from }),
  });
