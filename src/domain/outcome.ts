import type { Code, StageName } from "./codes.ts";
import type { Containment } from "./containment.ts";
import type { Digest } from "./digest.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { SandboxReport } from "./sandbox-report.ts";

export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }
  | {
      readonly type: "diff";
      readonly path: string;
      readonly diff: string;
      readonly oldText?: string;
      readonly newText: string;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mediaType?: string;
      readonly text?: string;
      readonly blob?: string;
    };

/** One thing wrong with the arguments. All of them are reported at once. */
export interface InputError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** The gate's no, before anything ran. */
export interface Refusal {
  readonly code: Code;
  readonly stage: StageName;
  readonly message: string;
  readonly ruleId?: string;
  readonly hint?: string;
  readonly errors?: readonly InputError[];
}

/** A tool that ran badly. */
export interface Failure {
  readonly code: Code;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly exitCode?: number;
  readonly detail?: JsonValue;
  /** Of a script tool: what its author makes of the exit code, in the words of JSON-RPC. */
  readonly mapped?: MappedError;
  readonly diagnostics?: JsonObject;
}

/** An error as clients of the Model Context Protocol and of ACP know it. */
export interface MappedError {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly detail?: JsonValue;
}

/** Proof that the end of a call is in the ledger. */
export interface Receipt {
  readonly seq: number;
  readonly hash: Digest;
}

interface Ended {
  readonly callId: string;
  readonly tool: string;
  readonly durationMs: number;
  /** In units of the APM2 seed: 1 for a call that was executed, its tokens for one that asked a model, 0 for one that ran nothing. */
  readonly budgetConsumed?: number;
  /** Absent only where nothing could be recorded, and then nothing ran. */
  readonly receipt?: Receipt;
}

/** A result that was cut: how many bytes it has, and where the whole is kept. */
export interface Truncation {
  readonly bytes: number;
  /** For `toolgate blobs get`; null = it could not be kept. */
  readonly blob: string | null;
}

export interface Completed extends Ended {
  readonly kind: "completed";
  readonly content: readonly Content[];
  readonly structured?: JsonObject;
  readonly exitCode?: number;
  readonly truncated?: Truncation;
  readonly attempts: number;
  readonly cached: boolean;
  readonly containment: Containment;
  /** Of a program: what held it in. */
  readonly sandbox?: SandboxReport;
}

export interface Failed extends Ended {
  readonly kind: "failed";
  readonly error: Failure;
  readonly content: readonly Content[];
  readonly truncated?: Truncation;
  readonly sandbox?: SandboxReport;
}

export interface Refused extends Ended {
  readonly kind: "refused";
  readonly refusal: Refusal;
}

/** A question is open and the caller does not wait for its answer. */
export interface Pending extends Ended {
  readonly kind: "pending";
  readonly approval: {
    readonly id: string;
    readonly risk: "LOW" | "MEDIUM" | "HIGH";
    readonly reasons: readonly string[];
    /** ISO 8601. */
    readonly deadline: string;
  };
}

export interface Unknown extends Ended {
  readonly kind: "unknown";
  readonly error: Failure & { readonly code: "OUTCOME_UNKNOWN" };
}

export type Outcome = Completed | Failed | Refused | Pending | Unknown;
