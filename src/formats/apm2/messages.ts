import type { Fields } from "./fields.ts";

/** The messages of `apm2.tool.v1`, by the names that they have there. Numbers of 64 bits are `bigint`. */
export interface FileRead {
  readonly path: string;
  readonly offset: bigint;
  /** 0 = all of it. */
  readonly limit: bigint;
}

export interface FileWrite {
  readonly path: string;
  readonly content: Uint8Array;
  readonly create_only: boolean;
  readonly append: boolean;
}

export interface FileEdit {
  readonly path: string;
  readonly old_content: string;
  readonly new_content: string;
}

export interface ShellExec {
  readonly command: string;
  /** Empty = the workspace. */
  readonly cwd: string;
  /** 0 = as long as the tool says. */
  readonly timeout_ms: bigint;
  readonly network_access: boolean;
  /** `KEY=VALUE`. */
  readonly env: readonly string[];
}

export interface GitOperation {
  readonly operation: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

export interface InferenceCall {
  readonly provider: string;
  readonly model: string;
  readonly prompt_hash: Uint8Array;
  readonly max_tokens: bigint;
  /** The temperature times 100. */
  readonly temperature_scaled: number;
  readonly system_prompt_hash: Uint8Array;
}

export interface ArtifactPublish {
  readonly artifact_id: string;
  readonly content_hash: Uint8Array;
  readonly category: string;
  /** `KEY=VALUE`. */
  readonly metadata: readonly string[];
}

/** Of later versions of the protocol. */
export interface ArtifactFetch {
  /** Empty = by its content. */
  readonly stable_id: string;
  /** Empty = by its name. */
  readonly content_hash: Uint8Array;
  /** Empty = any. */
  readonly expected_hash: Uint8Array;
  /** 0 = as many as the tool says. */
  readonly max_bytes: bigint;
  /** Empty = as it is. */
  readonly format: string;
}

export interface ToolSuccess {
  /** BLAKE3. */
  readonly result_hash: Uint8Array;
  /** Empty where the result is kept as a blob. */
  readonly inline_result: Uint8Array;
  readonly budget_consumed: bigint;
  readonly duration_ms: bigint;
}

export interface ToolDenied {
  readonly rule_id: string;
  readonly rationale_code: string;
  readonly message: string;
}

export interface ToolError {
  readonly error_code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retry_after_ms: bigint;
}

export interface Tools {
  readonly file_read: FileRead;
  readonly file_write: FileWrite;
  readonly file_edit: FileEdit;
  readonly shell_exec: ShellExec;
  readonly git_op: GitOperation;
  readonly inference: InferenceCall;
  readonly artifact_publish: ArtifactPublish;
  readonly artifact_fetch: ArtifactFetch;
}

export interface Results {
  readonly success: ToolSuccess;
  readonly denied: ToolDenied;
  readonly error: ToolError;
}

/** One of several messages, and which. */
export type OneOf<Members> = {
  [Kind in keyof Members]: { readonly kind: Kind; readonly value: Members[Kind] };
}[keyof Members];

interface RequestHead {
  readonly request_id: string;
  readonly session_token: string;
  /** Empty = none. */
  readonly dedupe_key: string;
}

interface ResponseHead {
  readonly request_id: string;
}

export interface ToolRequest extends RequestHead {
  readonly tool: OneOf<Tools> | null;
}

export interface ToolResponse extends ResponseHead {
  readonly result: OneOf<Results> | null;
}

type Members<Of> = { readonly [Kind in keyof Of]: { readonly tag: number; readonly fields: Fields<Of[Kind]> } };

export const REQUEST_FIELDS: Fields<RequestHead> = {
  request_id: [1, "string"],
  session_token: [2, "string"],
  dedupe_key: [3, "string"],
};

/** Tags 18 and 19 are of later versions of the protocol, and are taken for nothing else. */
export const TOOLS: Members<Tools> = {
  file_read: { tag: 10, fields: { path: [1, "string"], offset: [2, "uint64"], limit: [3, "uint64"] } },
  file_write: {
    tag: 11,
    fields: { path: [1, "string"], content: [2, "bytes"], create_only: [3, "bool"], append: [4, "bool"] },
  },
  file_edit: { tag: 12, fields: { path: [1, "string"], old_content: [2, "string"], new_content: [3, "string"] } },
  shell_exec: {
    tag: 13,
    fields: {
      command: [1, "string"],
      cwd: [2, "string"],
      timeout_ms: [3, "uint64"],
      network_access: [4, "bool"],
      env: [5, "strings"],
    },
  },
  git_op: { tag: 14, fields: { operation: [1, "string"], args: [2, "strings"], cwd: [3, "string"] } },
  inference: {
    tag: 15,
    fields: {
      provider: [1, "string"],
      model: [2, "string"],
      prompt_hash: [3, "bytes"],
      max_tokens: [4, "uint64"],
      temperature_scaled: [5, "uint32"],
      system_prompt_hash: [6, "bytes"],
    },
  },
  artifact_publish: {
    tag: 16,
    fields: {
      artifact_id: [1, "string"],
      content_hash: [2, "bytes"],
      category: [3, "string"],
      metadata: [4, "strings"],
    },
  },
  artifact_fetch: {
    tag: 17,
    fields: {
      stable_id: [1, "string"],
      content_hash: [2, "bytes"],
      expected_hash: [3, "bytes"],
      max_bytes: [4, "uint64"],
      format: [5, "string"],
    },
  },
};

export const RESPONSE_FIELDS: Fields<ResponseHead> = { request_id: [1, "string"] };

export const RESULTS: Members<Results> = {
  success: {
    tag: 2,
    fields: {
      result_hash: [1, "bytes"],
      inline_result: [2, "bytes"],
      budget_consumed: [3, "uint64"],
      duration_ms: [4, "uint64"],
    },
  },
  denied: { tag: 3, fields: { rule_id: [1, "string"], rationale_code: [2, "string"], message: [3, "string"] } },
  error: {
    tag: 4,
    fields: {
      error_code: [1, "string"],
      message: [2, "string"],
      retryable: [3, "bool"],
      retry_after_ms: [4, "uint64"],
    },
  },
};
