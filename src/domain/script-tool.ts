import type { JsonValue } from "./json.ts";
import type { Secret } from "./secret.ts";
import type { ToolEffects } from "./tool-effects.ts";

/** A tool of a `tools.yaml`, read and checked: defaults are filled in, and nothing is left that has no effect. */
export interface ScriptTool {
  /** What it is called by. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  /** A bash template. */
  readonly script: string;
  /** Options of the first line's `bash`, as `-eu`; "" = none. */
  readonly bashOptions: string;
  readonly parameters: readonly ScriptParameter[];
  /** Programs of its script to which all is data, by its author's word. */
  readonly dataFor: readonly string[];
  readonly sandbox: ScriptSandbox;
  readonly errorMapping: ReadonlyMap<number, ExitMapping>;
  readonly retry: RetryPolicy | null;
  readonly breaker: BreakerPolicy | null;
  readonly caching: CachePolicy | null;
  readonly effects: ToolEffects | null;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly version: string;
  readonly author: string | null;
}

export type ParameterType = "string" | "number" | "boolean" | "object" | "array";

export interface ScriptParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly description: string;
  /** Undefined = there is none. */
  readonly fallback: JsonValue | undefined;
  readonly values: readonly JsonValue[] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: string | null;
  /** A value may begin with `-` where a program would take it for an option. */
  readonly allowsDash: boolean;
}

/** What a template has to know of a parameter. */
export const templateParameter = ({ name, type, values, allowsDash }: ScriptParameter) => ({
  name,
  type,
  isClosed: values !== null,
  allowsDash,
});

export interface ScriptSandbox {
  readonly requiresConfirmation: boolean;
  readonly confirmationMessage: string;
  readonly timeoutMs: number;
  /** As written. `/tmp` and what is below is the program's own; anything else a folder of this machine. */
  readonly workingDirectory: string;
  readonly tempIsolation: boolean;
  readonly environment: Readonly<Record<string, string | Secret>>;
  /** Names of variables whose secret is written out in the file. */
  readonly inlineSecrets: readonly string[];
  /** Null = any. */
  readonly allowedCommands: readonly string[] | null;
  /** Null = all that the rules grant. */
  readonly allowedPaths: readonly string[] | null;
  readonly limits: ScriptLimits;
}

export interface ScriptLimits {
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  readonly processes: number;
}

/** What an exit code means to clients. */
export interface ExitMapping {
  readonly code: number;
  readonly message: string | null;
  /** Undefined = the mapping says nothing of it. */
  readonly retryable: boolean | undefined;
  /** A template of plain text; an object only under `extended-json`. */
  readonly detail: JsonValue | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly backoff: "exponential" | "fixed";
  readonly multiplier: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export interface BreakerPolicy {
  readonly failureThreshold: number;
  readonly recoveryMs: number;
  readonly monitoringMs: number;
}

export interface CachePolicy {
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Null = all arguments. */
  readonly keyTemplate: string | null;
}

/** How `detail` of a mapped error is sent: a text, or as it is. */
export const ERROR_PROFILES = ["acp-basic", "extended-json"] as const;
export type ErrorProfile = (typeof ERROR_PROFILES)[number];
