/** Where in its life a call was when the gate said no. */
export type StageName = "resolve" | "validate" | "plan" | "judge" | "approve" | "execute" | "finish" | "journal";

interface CodeFacts {
  readonly means: string;
  /** Whether the very same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;
}

/** The closed list. Each door maps all of it to its wire in one table, so a new code does not compile until it has. */
export const CODES = {
  TOOL_UNKNOWN: { means: "no tool has this name", retryable: false },
  TOOL_CHANGED: { means: "the tool is no longer the one that was let in", retryable: false },
  INVALID_ARGUMENTS: { means: "the arguments don't fit the tool's schema or a hard limit", retryable: false },
  PATH_INVALID: { means: "the path can't name a file (empty, NUL, too long, a link loop)", retryable: false },
  FILE_NOT_FOUND: { means: "there is no file at this path", retryable: false },
  FILE_EXISTS: { means: "a file is there already", retryable: false },
  NOT_REGULAR_FILE: { means: "the path names a directory, device, pipe or socket", retryable: false },
  NOT_DIRECTORY: { means: "the path names something that can't be listed", retryable: false },
  NOT_TEXT: { means: "the file is not UTF-8 text, so it can't be edited as text", retryable: false },
  FILE_TOO_LARGE: { means: "the file is over the size limit", retryable: false },
  ACCESS_DENIED: { means: "the operating system refuses access to the file", retryable: false },
  INVALID_OFFSET: { means: "the offset lies behind the end of the file", retryable: false },
  CONTENT_NOT_FOUND: {
    means: "the text to be changed is not in the file, or the content is not in the store",
    retryable: false,
  },
  MULTIPLE_MATCHES: { means: "the text to be changed is in the file more than once", retryable: false },
  INVALID_PATTERN: { means: "the text that was searched for is no valid pattern", retryable: false },
  REDACTED_CONTENT: { means: "the new content holds the mark of a redacted secret", retryable: false },
  IO_ERROR: { means: "the operating system could not read or write", retryable: true },
  DEFAULT_DENY: { means: "no rule covers what the call would touch", retryable: false },
  RULE_DENY: { means: "a rule denies what the call would touch", retryable: false },
  POLICY_FAULT: { means: "the rules can't be evaluated, so nothing is allowed", retryable: false },
  LEASE_SCOPE: { means: "the session's lease does not cover what the call would touch", retryable: false },
  LEASE_EXPIRED: { means: "the session's lease has expired", retryable: false },
  LEASE_REVOKED: { means: "the session was closed, or its lease was taken back", retryable: false },
  SESSION_UNKNOWN: { means: "no open session has this token or id", retryable: false },
  BUDGET_EXCEEDED: { means: "the session has used up what its lease allows", retryable: false },
  DEDUPE_MISMATCH: { means: "another call was made under the same key before", retryable: false },
  DEDUPE_FULL: { means: "no more keys can be remembered for this caller for now", retryable: true },
  APPROVAL_REJECTED: { means: "a person said no", retryable: false },
  APPROVAL_EXPIRED: { means: "nobody answered before the deadline", retryable: false },
  APPROVAL_STALE: { means: "what was approved is no longer what would run", retryable: false },
  APPROVAL_UNKNOWN: { means: "there is no question with this id", retryable: false },
  RATE_LIMITED: { means: "too many at a time: questions that wait for an answer, wrong tokens", retryable: true },
  APPROVER_NOT_ELIGIBLE: { means: "a rule wants to hear somebody else", retryable: false },
  APPROVAL_CONFLICT: { means: "the question has been answered already", retryable: false },
  SHELL_TOO_COMPLEX: { means: "the command is too long or too deep to be judged as a whole", retryable: false },
  ARG_OPTION_INJECTION: { means: "a value would be taken for an option of a program", retryable: false },
  TEMPLATE_UNSAFE_SLOT: { means: "a script tool has a value where it would be read as code", retryable: false },
  TEMPLATE_MISSING_VALUE: { means: "a script tool got to a value that was not given", retryable: false },
  COMMAND_NOT_ALLOWED: { means: "a script tool would run a command that it may not", retryable: false },
  PATH_NOT_ALLOWED: { means: "a script tool would use a path that it may not", retryable: false },
  CIRCUIT_OPEN: { means: "the tool failed too often, and is left alone for a while", retryable: true },
  CONFLICT: { means: "a file changed between judging and running", retryable: true },
  SANDBOX_UNAVAILABLE: { means: "this machine can't hold programs in, so none is run", retryable: false },
  ROOT_REFUSED: {
    means: "the gate runs as root and can't run programs safely here: the message says why",
    retryable: false,
  },
  INTERACTIVE_BLOCKED: { means: "the tool would wait for a person to type something", retryable: false },
  LIMIT_MEMORY: { means: "the program needed more memory than it may have", retryable: false },
  LIMIT_PROCESSES: { means: "the program started more tasks than it may", retryable: false },
  LIMIT_CPU: { means: "the program used more processor time than it may", retryable: false },
  LIMIT_FSIZE: { means: "the program wrote a file that is larger than it may be", retryable: false },
  LIMIT_FILES: { means: "the program opened more files at a time than it may", retryable: false },
  LIMIT_DISK: { means: "the program found no more space to write to", retryable: false },
  LIMIT_OUTPUT: { means: "the program printed more than anybody would keep", retryable: false },
  SPAWN_FAILED: { means: "the program could not be started in its sandbox; nothing of it ran", retryable: true },
  EGRESS_BLOCKED: { means: "the connection leads to where nothing lets this call go", retryable: false },
  CONNECT_FAILED: { means: "the host could not be found or reached; nothing was sent", retryable: true },
  BAD_RESPONSE: { means: "the server's answer breaks off or can't be read", retryable: false },
  EXECUTOR_UNAVAILABLE: { means: "no connected client took the call; nothing of it ran", retryable: true },
  SECRET_MISSING: { means: "a secret that the tool's server is to be given is not set", retryable: false },
  LEDGER_UNAVAILABLE: { means: "the ledger can't be written, so nothing runs", retryable: true },
  ILLEGAL_TRANSITION: { means: "the call is no longer in the state this step needs", retryable: false },
  CONFIG_INVALID: { means: "the configuration does not load", retryable: false },
  CONFIG_UNTRUSTED: { means: "a configuration found in a workspace was not accepted yet", retryable: false },
  SCHEMA_INVALID: { means: "a tool's schema is not one that can be checked", retryable: false },
  SCHEMA_TOO_COMPLEX: { means: "a tool's schema is too large or too deep to be checked", retryable: false },
  BLOB_NOT_FOUND: { means: "no content is kept under this hash", retryable: false },
  BLOB_DAMAGED: { means: "the content kept under this hash is no longer what was stored", retryable: false },
  BLOB_TOO_LARGE: {
    means: "the content is larger than what can be kept as one blob, or than was asked for",
    retryable: false,
  },
  HASH_INVALID: { means: "a hash has 64 lower-case hexadecimal digits", retryable: false },
  HASH_MISMATCH: { means: "the content is not the one that was expected", retryable: false },
  ARTIFACT_UNKNOWN: { means: "no artifact is published under this name or hash", retryable: false },
  ARTIFACT_EXISTS: { means: "another artifact is published under this name, for good", retryable: false },
  MODEL_REFUSED: { means: "the provider of the model refused the request", retryable: false },
  MODEL_UNAVAILABLE: { means: "the provider of the model can't answer now, and has answered nothing", retryable: true },
  STORAGE_FULL: { means: "there is no room to keep the content", retryable: true },
  CANCELLED: { means: "the caller cancelled", retryable: false },
  TIMEOUT: { means: "the tool did not end in time", retryable: false },
  TOOL_FAILED: { means: "the tool ran and reported an error", retryable: false },
  OUTCOME_UNKNOWN: { means: "the call was started and its end is not known", retryable: false },
  FAULT: { means: "a mistake of the gate itself; nothing more was run", retryable: false },
} as const satisfies Record<string, CodeFacts>;

export type Code = keyof typeof CODES;

/** What a code means, whatever was said beside it. One that nobody knows, as of an older ledger, means nothing. */
export const meaningOf = (code: unknown): string =>
  typeof code === "string" && Object.hasOwn(CODES, code) ? CODES[code as Code].means : "";
