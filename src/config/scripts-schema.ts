import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";

const text = (maxLength: number) => ({ type: "string", maxLength }) as const;
const texts = { type: "array", maxItems: 1000, items: { type: "string", minLength: 1, maxLength: 4096 } } as const;
const number = ({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) =>
  ({ type: "number", minimum, maximum }) as const;
const count = (limit: { readonly minimum: number; readonly maximum: number }) =>
  ({ ...number(limit), type: "integer" }) as const;
const seconds = ({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) =>
  ({ type: "number", minimum: minimum / 1000, maximum: maximum / 1000 }) as const;

const RESOURCES = {
  max_memory_mb: number(LIMITS.scriptMemoryMb),
  max_cpu_time_seconds: count(LIMITS.scriptCpuSeconds),
  max_file_size_mb: number(LIMITS.scriptFileMb),
  max_open_files: count(LIMITS.scriptOpenFiles),
  max_processes: count(LIMITS.scriptProcesses),
} as const;

const PARAMETER = {
  type: "object",
  required: ["name"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: 64 },
    type: { enum: ["string", "number", "boolean", "object", "array", "option"] },
    required: { type: "boolean" },
    description: text(4096),
    default: {},
    enum: { type: "array", minItems: 1, maxItems: 1000 },
    minimum: { type: "number" },
    maximum: { type: "number" },
    pattern: { type: "string", minLength: 1, maxLength: 1000 },
    allow_dash: { type: "boolean" },
  },
} as const;

export const EFFECTS = {
  type: "object",
  additionalProperties: false,
  properties: {
    filesystem: {
      type: "object",
      additionalProperties: false,
      properties: {
        read: { type: "boolean" },
        write: { type: "boolean" },
        delete: { type: "boolean" },
        paths: texts,
      },
    },
    network: { type: "boolean" },
    subprocess: { type: "boolean" },
    idempotent: { type: "boolean" },
    reversible: { type: "boolean" },
    destructive: { type: "boolean" },
  },
} as const;

/** One tool of a `tools.yaml`: the keys of the A2A-ACP seed, and `effects`, `data_for`, `allow_dash` and `override` of our own. */
export const SCRIPT_TOOL_SCHEMA = {
  type: "object",
  required: ["script"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: 256 },
    description: text(16_384),
    script: { type: "string", minLength: 1, maxLength: LIMITS.shellCharacters.maximum },
    parameters: { type: "array", maxItems: 100, items: PARAMETER },
    data_for: texts,
    sandbox: {
      type: "object",
      additionalProperties: false,
      properties: {
        requires_confirmation: { type: "boolean" },
        confirmation_message: text(4096),
        timeout: seconds(LIMITS.scriptTimeoutMs),
        working_directory: { type: "string", minLength: 1, maxLength: LIMITS.pathBytes.maximum },
        use_temp_isolation: { type: "boolean" },
        environment_variables: { type: "object" },
        allowed_commands: texts,
        allowed_paths: texts,
        ...RESOURCES,
        resource_limits: { type: "object", additionalProperties: false, properties: RESOURCES },
      },
    },
    error_mapping: { type: "object" },
    retry: {
      type: "object",
      additionalProperties: false,
      properties: {
        attempts: count(LIMITS.retryAttempts),
        backoff: { enum: ["exponential", "fixed"] },
        backoff_multiplier: number(LIMITS.retryMultiplier),
        initial_delay: number(LIMITS.retryDelaySeconds),
        max_delay: number(LIMITS.retryMaxDelaySeconds),
      },
    },
    circuit_breaker: {
      type: "object",
      additionalProperties: false,
      properties: {
        failure_threshold: count(LIMITS.breakerFailures),
        recovery_timeout: number(LIMITS.breakerRecoverySeconds),
        monitoring_period: number(LIMITS.breakerPeriodSeconds),
      },
    },
    caching: {
      type: "object",
      additionalProperties: false,
      properties: {
        enabled: { type: "boolean" },
        ttl: number(LIMITS.cacheTtlSeconds),
        max_size: count(LIMITS.cacheEntries),
        key_template: { type: "string", minLength: 1, maxLength: 4096 },
      },
    },
    effects: EFFECTS,
    tags: texts,
    examples: texts,
    version: text(64),
    author: text(256),
    override: { type: "boolean" },
  },
} as const satisfies JsonObject;

export const SCRIPTS_FILE_SCHEMA = {
  type: "object",
  required: ["tools"],
  additionalProperties: false,
  properties: { version: { enum: [1] }, tools: { type: "object" } },
} as const satisfies JsonObject;

/** One entry of `error_mapping`, where it is no bare number. */
export const EXIT_MAPPING_SCHEMA = {
  type: "object",
  required: ["code"],
  additionalProperties: false,
  properties: {
    code: { type: "integer" },
    message: text(4096),
    detail: {},
    retryable: { type: "boolean" },
  },
} as const satisfies JsonObject;
