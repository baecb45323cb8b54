/** The library door. */
export type { Tool } from "./domain/call.ts";
export { CODES, type Code } from "./domain/codes.ts";
export type { Entry } from "./domain/entry.ts";
export type { JsonObject, JsonValue } from "./domain/json.ts";
export type { Lease, Session } from "./domain/lease.ts";
export type { Content, Failure, InputError, Outcome, Receipt, Refusal, Truncation } from "./domain/outcome.ts";
export type { Answered, PersonsAnswer, Question, ShownPlan } from "./domain/question.ts";
export type { Progress, ToolDefinition } from "./domain/tool.ts";
export type { Touch } from "./domain/touch.ts";
export { defineTool, type FunctionTool } from "./tools/function/define-tool.ts";
export { ToolError } from "./tools/function/tool-error.ts";
export type { FunctionGovernor, GovernorAnswer } from "./tools/governor/function-governor.ts";
export type { AnswerResult, Approvals } from "./wiring/approvals.ts";
export type { BlobReader } from "./wiring/blob-reader.ts";
export type { Approver, AskedAs } from "./wiring/build-gate.ts";
export type { Fault } from "./wiring/fault-log.ts";
export type {
  AnswerOptions,
  BatchCall,
  BatchOptions,
  BatchResult,
  CallOptions,
  Explanation,
  FormatName,
  Gate,
  GateCall,
  LeaseSource,
  MessagesFor,
  SessionInfo,
  Sessions,
  StreamEvent,
  ToolsFor,
} from "./wiring/gate.ts";
export type { Ledger, LedgerVerdict } from "./wiring/ledger.ts";
export { ResponseError } from "./wiring/model-turns.ts";
export { ConfigError, type InlineOptions, type OpenGateOptions, openGate } from "./wiring/open-gate.ts";
export type { ToolEvent, ToolEvents, ToolEventsOptions } from "./wiring/tool-events.ts";
export {
  type RegistryOptions,
  type ToolPermission,
  ToolRegistry,
  type ToolUsed,
  ToolUseError,
} from "./wiring/tool-registry.ts";
