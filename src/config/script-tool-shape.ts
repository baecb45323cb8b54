import type { JsonValue } from "../domain/json.ts";
import type { ToolEffects } from "../domain/tool-effects.ts";

/** A tool as it is written, once its schema has found nothing. */
export interface RawScriptTool {
  readonly name?: string;
  readonly description?: string;
  readonly script: string;
  readonly parameters?: readonly RawParameter[];
  readonly data_for?: readonly string[];
  readonly sandbox?: RawSandbox;
  readonly error_mapping?: Readonly<Record<string, JsonValue>>;
  readonly retry?: {
    readonly attempts?: number;
    readonly backoff?: "exponential" | "fixed";
    readonly backoff_multiplier?: number;
    readonly initial_delay?: number;
    readonly max_delay?: number;
  };
  readonly circuit_breaker?: {
    readonly failure_threshold?: number;
    readonly recovery_timeout?: number;
    readonly monitoring_period?: number;
  };
  readonly caching?: {
    readonly enabled?: boolean;
    readonly ttl?: number;
    readonly max_size?: number;
    readonly key_template?: string;
  };
  readonly effects?: ToolEffects;
  readonly tags?: readonly string[];
  readonly examples?: readonly string[];
  readonly version?: string;
  readonly author?: string;
  readonly override?: boolean;
}

export interface RawParameter {
  readonly name: string;
  readonly type?: "string" | "number" | "boolean" | "object" | "array" | "option";
  readonly required?: boolean;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly allow_dash?: boolean;
}

export interface RawResources {
  readonly max_memory_mb?: number;
  readonly max_cpu_time_seconds?: number;
  readonly max_file_size_mb?: number;
  readonly max_open_files?: number;
  readonly max_processes?: number;
}

export interface RawSandbox extends RawResources {
  readonly requires_confirmation?: boolean;
  readonly confirmation_message?: string;
  readonly timeout?: number;
  readonly working_directory?: string;
  readonly use_temp_isolation?: boolean;
  readonly environment_variables?: Readonly<Record<string, JsonValue>>;
  readonly allowed_commands?: readonly string[];
  readonly allowed_paths?: readonly string[];
  readonly resource_limits?: RawResources;
}
