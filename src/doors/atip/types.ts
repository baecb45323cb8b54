import type { ExecutionPolicy } from "../../atip/execution-policy.ts";
import type { Leaf } from "../../atip/leaf.ts";
import type { AtipCommand, AtipTool } from "../../atip/metadata.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { ToolEffects, Trust } from "../../domain/tool-effects.ts";
import type { FormatName } from "../../formats/formats.ts";

export type Provider = FormatName;

/** A call as a model made it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Why the arguments could not be read, where they could not: such a call is answered with an error, and not made. */
  readonly problem?: string;
  /** Whose response it was in: some are shown other names than a command's own. */
  readonly provider?: Provider;
}

/** A command that a flattened name means. */
export interface CommandMapping {
  /** Flattened: `gh_pr_create`. */
  readonly name: string;
  readonly tool: AtipTool;
  readonly toolName: string;
  readonly commandPath: readonly string[];
  /** `["gh", "pr", "create"]`. */
  readonly baseCommand: readonly string[];
  readonly command: Pick<AtipCommand, "description" | "arguments" | "options">;
  /** Of the command and its tool together. */
  readonly effects: ToolEffects;
  readonly leaf: Leaf;
}

export type ValidationCode =
  | "MISSING_REQUIRED"
  | "INVALID_TYPE"
  | "INVALID_ENUM"
  | "INVALID_FORMAT"
  | "UNKNOWN_PARAMETER"
  | "UNKNOWN_COMMAND";

export interface ValidationError {
  readonly code: ValidationCode;
  readonly parameter: string;
  readonly message: string;
}

export interface ValidationWarning {
  readonly code: "EXTRA_PARAMETER";
  readonly parameter: string;
  readonly message: string;
}

export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly ValidationWarning[];
  /** Coerced, without what the command does not have. */
  readonly arguments: JsonObject;
}

export type ViolationCode =
  | "DESTRUCTIVE_BLOCKED"
  | "NON_REVERSIBLE_BLOCKED"
  | "BILLABLE_BLOCKED"
  | "NETWORK_BLOCKED"
  | "FILESYSTEM_WRITE_BLOCKED"
  | "FILESYSTEM_DELETE_BLOCKED"
  | "TRUST_INSUFFICIENT"
  | "COST_EXCEEDED"
  | "INTERACTIVE_BLOCKED";

export interface PolicyViolation {
  readonly code: ViolationCode;
  readonly message: string;
  /** Whether a person can still say yes. */
  readonly confirmable: boolean;
}

export interface PolicyCheckResult {
  /** Nothing stands in the way, and nobody has to be asked. */
  readonly allowed: boolean;
  /** Nothing forbids it, and a person has to say yes. */
  readonly requiresConfirmation: boolean;
  readonly violations: readonly PolicyViolation[];
  /** `destructive`, `non-reversible`, `billable`, `filesystem-delete`, `cost-high`. */
  readonly reasons: readonly string[];
  readonly effects: ToolEffects;
  readonly trust: Trust;
}

/** What a person is told who is asked. */
export interface ConfirmationContext {
  readonly toolName: string;
  readonly command: readonly string[];
  readonly arguments: JsonObject;
  readonly reasons: readonly string[];
  readonly effects: ToolEffects;
  readonly trust: Trust;
}

export interface ExecutorPolicy extends ExecutionPolicy {
  /** Left out: what needs a confirmation throws a `RequiresConfirmationError`. */
  readonly confirmationHandler?: (context: ConfirmationContext) => boolean | Promise<boolean>;
}

export interface ExecutionOptions {
  /** In milliseconds; 30,000, and at most 600,000. */
  readonly timeout?: number;
  /** In bytes, of each of the two outputs; 1 MB, and at most 10 MB. */
  readonly maxOutputSize?: number;
  /** The workspace: what programs see. */
  readonly cwd?: string;
  /** What programs get beside the few variables that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Started by bash, each word in quotes, and read by the command reader like every script. */
  readonly shell?: boolean;
  /** The seed's word. Listeners hear what is printed as it comes in any case. */
  readonly streaming?: boolean;
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
  /** Where the ledger is; `.toolgate` in the workspace. */
  readonly stateDir?: string;
  /** What programs may read, write and connect to beside what the policy says. */
  readonly grant?: {
    readonly read?: readonly string[];
    readonly write?: readonly string[];
    readonly connect?: readonly string[];
  };
}

export interface OutputOptions {
  /** In characters. */
  readonly maxLength?: number;
  readonly redactSecrets?: boolean;
  readonly redactPatterns?: readonly (RegExp | string)[];
  readonly includeStderr?: boolean;
  readonly includeExitCode?: boolean;
  /** Gets what is redacted already. */
  readonly formatter?: (result: ExecutionResult) => string;
}

export interface ExecutorConfig {
  readonly tools: readonly AtipTool[];
  readonly policy?: ExecutorPolicy;
  readonly execution?: ExecutionOptions;
  readonly output?: OutputOptions;
  /** Between the words of a flattened name; `_`. */
  readonly separator?: string;
}

export interface ExecutionResult {
  readonly success: boolean;
  /** Null: it was stopped before it had one. */
  readonly exitCode: number | null;
  /** Without secrets, as all that leaves the gate. */
  readonly stdout: string;
  readonly stderr: string;
  /** In milliseconds. */
  readonly duration: number;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  readonly command: readonly string[];
  readonly toolCallId: string;
  readonly toolName: string;
  /** Its time and output limits, which the marks in a text name. */
  readonly limits: { readonly timeout: number; readonly maxOutputSize: number };
  /** Where the ledger has it. */
  readonly receipt?: { readonly seq: number; readonly hash: string };
}

/** A result, and what a model is told of it. */
export interface Executed extends ExecutionResult {
  readonly formatted: string;
}
