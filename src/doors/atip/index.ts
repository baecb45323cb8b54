/** `toolgate/atip`: the API of the ATIP seed, a thin face over the gate. */
export type { ExecutionPolicy } from "../../atip/execution-policy.ts";
export type {
  AtipArgument,
  AtipAuthentication,
  AtipCommand,
  AtipEffects,
  AtipOption,
  AtipTool,
  AtipTrust,
} from "../../atip/metadata.ts";
export type { ToolEffects, Trust } from "../../domain/tool-effects.ts";
export { mergeEffects } from "../../wiring/merge-effects.ts";
export type { BatchItem, BatchResult, BatchSettings } from "./batch.ts";
export {
  compileTools,
  createResultFilter,
  createValidator,
  generateSafetyPrompt,
  toAnthropic,
  toGemini,
  toOpenAI,
} from "./bridge.ts";
export { buildCommandArray } from "./command.ts";
export {
  ArgumentValidationError,
  AtipExecuteError,
  ExecutionError,
  InsufficientTrustError,
  InteractiveNotSupportedError,
  PolicyViolationError,
  RequiresConfirmationError,
  TimeoutError,
  UnknownCommandError,
} from "./errors.ts";
export { executeCommand } from "./execute-command.ts";
export { createExecutor, type Executor, type StreamPart } from "./executor.ts";
export {
  combineStreams,
  filterSecrets,
  formatForProvider,
  formatResult,
  handleToolResult,
  type SecretFilter,
  truncateOutput,
} from "./formatting.ts";
export { getMetadata, type MappingOptions, mapCommand, mapToCommand } from "./mapping.ts";
export { parseToolCall } from "./parse.ts";
export { checkPolicy } from "./policy.ts";
export type * from "./types.ts";
export { validateToolCall } from "./validation.ts";
