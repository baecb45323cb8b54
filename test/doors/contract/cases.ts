// The table: one row is one call. Each door makes all calls that its wire can carry; `gaps` says why it can't carry the rest.

/** The doors, in the order of the folders of `src/doors`. */
export const DOORS = ["library", "cli", "rest", "mcp-stdio", "mcp-http", "acp", "a2a", "kernel"] as const;
export type DoorName = (typeof DOORS)[number];

export interface ContractCase {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** `completed`, or the code of the outcome. */
  readonly ends: string;
  /** What the caller reads in the result. */
  readonly says?: string;
  /** What the caller must not read. */
  readonly hides?: string;
  /** The entries that the call leaves in the ledger, whoever made it. */
  readonly entries: readonly string[];
  /** A call that is made before this one: in the same session, or under the same key. */
  readonly first?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  /** The lease of the session that the call is made in. */
  readonly lease?: object;
  /** What a person does about the question, at another door. */
  readonly person?: "approves" | "rejects" | "comes too late" | "approves what has changed since";
  /** What the caller does while the call runs. */
  readonly caller?: "cancels" | "listens";
  /** The result is longer than an outcome may be, and is kept as a blob. */
  readonly isKept?: true;
  readonly gaps?: Partial<Record<DoorName, string>>;
}

const OWN_TOOLS = {
  acp: "the editor protocol has requests for files and commands only; the agent reaches other tools over MCP",
  kernel: "the protocol has a message for each of eight tools, and none for others",
};
const NO_KEY = {
  "mcp-stdio": "MCP has no idempotency key",
  "mcp-http": "MCP has no idempotency key",
  acp: "ACP has no idempotency key",
};
const NO_SESSION = {
  acp: "an editor's agent has no token: its session is bound by the rules alone",
};

const refused = (tool: string, code: string): readonly string[] => [`requested ${tool}`, `decided deny ${code}`];
const ran = (tool: string, rule: string, end: string): readonly string[] => [
  `requested ${tool}`,
  `decided allow ${rule}`,
  `executed ${end}`,
];
const asked = (answer: string, ...rest: readonly string[]): readonly string[] => [
  "requested write_file",
  "decided ask asked",
  `answered ${answer}`,
  ...rest,
];

export const CASES: Readonly<Record<string, ContractCase>> = {
  allowed: {
    tool: "read_file",
    input: { path: "notes.txt" },
    ends: "completed",
    says: "hello from the notes",
    entries: ran("read_file", "look", "completed"),
  },
  "allowed to write": {
    tool: "write_file",
    input: { path: "free/new.txt", content: "new" },
    ends: "completed",
    entries: ran("write_file", "free", "completed"),
  },
  "covered by no rule": {
    tool: "read_file",
    input: { path: "/etc/hostname" },
    ends: "DEFAULT_DENY",
    entries: refused("read_file", "DEFAULT_DENY"),
    gaps: { kernel: "the protocol's own validation refuses absolute paths before there is a call" },
  },
  "denied by a rule": {
    tool: "read_file",
    input: { path: "private/key.txt" },
    ends: "RULE_DENY",
    entries: refused("read_file", "RULE_DENY private"),
  },
  "asked and approved": {
    tool: "write_file",
    input: { path: "asked/yes.txt", content: "x" },
    person: "approves",
    ends: "completed",
    entries: asked("approve", "started", "executed completed"),
  },
  "asked and rejected": {
    tool: "write_file",
    input: { path: "asked/no.txt", content: "x" },
    person: "rejects",
    ends: "APPROVAL_REJECTED",
    entries: asked("reject"),
  },
  "asked and not answered in time": {
    tool: "write_file",
    input: { path: "asked/late.txt", content: "x" },
    person: "comes too late",
    ends: "APPROVAL_EXPIRED",
    entries: asked("expired"),
  },
  "approved, and changed meanwhile": {
    tool: "write_file",
    input: { path: "asked/changed.txt", content: "x" },
    person: "approves what has changed since",
    ends: "APPROVAL_STALE",
    entries: asked("approve", "decided deny APPROVAL_STALE"),
  },
  "no such file": {
    tool: "read_file",
    input: { path: "gone.txt" },
    ends: "FILE_NOT_FOUND",
    entries: ran("read_file", "look", "failed FILE_NOT_FOUND"),
  },
  "a text that is there twice": {
    tool: "edit_file",
    input: { path: "free/twice.txt", edits: [{ type: "replace", oldText: "a", newText: "b" }] },
    ends: "MULTIPLE_MATCHES",
    entries: ran("edit_file", "look", "failed MULTIPLE_MATCHES"),
    gaps: { acp: OWN_TOOLS.acp },
  },
  "a path that can name no file": {
    tool: "read_file",
    input: { path: "a\0b" },
    ends: "PATH_INVALID",
    entries: refused("read_file", "PATH_INVALID"),
    gaps: { kernel: "the protocol's own validation refuses it before there is a call" },
  },
  "bad arguments": {
    tool: "read_file",
    input: { paht: "notes.txt" },
    ends: "INVALID_ARGUMENTS",
    entries: refused("read_file", "INVALID_ARGUMENTS"),
    gaps: {
      acp: "the request's own shape is checked before there is a call",
      kernel: "an unknown field is refused before there is a call",
    },
  },
  "unknown tool": {
    tool: "raed_file",
    input: { path: "notes.txt" },
    ends: "TOOL_UNKNOWN",
    entries: refused("raed_file", "TOOL_UNKNOWN"),
    gaps: OWN_TOOLS,
  },
  "a result that is too long": {
    tool: "read_file",
    input: { path: "big.txt" },
    ends: "completed",
    isKept: true,
    entries: ran("read_file", "look", "completed"),
  },
  "a secret in the result": {
    tool: "read_file",
    input: { path: "token.txt" },
    ends: "completed",
    says: "[REDACTED:CONTRACT_SECRET]",
    hides: "tok-4711-abcdefgh",
    entries: ran("read_file", "look", "completed"),
  },
  "the mark of a secret written back": {
    tool: "write_file",
    input: { path: "free/token.txt", content: "it is [REDACTED:CONTRACT_SECRET]" },
    ends: "REDACTED_CONTENT",
    entries: refused("write_file", "REDACTED_CONTENT"),
  },
  "a program that completes": {
    tool: "run_command",
    input: { command: "echo one" },
    ends: "completed",
    says: "one",
    entries: ran("run_command", "programs", "completed"),
  },
  "a program that fails": {
    tool: "run_command",
    input: { command: "false" },
    ends: "TOOL_FAILED",
    entries: ran("run_command", "programs", "failed TOOL_FAILED"),
  },
  "a program that takes too long": {
    tool: "run_command",
    input: { command: "sleep 60", timeoutMs: 500 },
    ends: "TIMEOUT",
    entries: ran("run_command", "programs", "timed_out TIMEOUT"),
    gaps: { acp: "`terminal/create` takes no time limit" },
  },
  "a program that is cancelled": {
    tool: "run_command",
    input: { command: "sleep 61" },
    caller: "cancels",
    ends: "CANCELLED",
    entries: ran("run_command", "programs", "cancelled CANCELLED"),
    gaps: { kernel: "a unary request can't be cancelled: the call goes on without its caller" },
  },
  "output while it runs": {
    tool: "run_command",
    input: { command: "echo first; sleep 0.3; echo second" },
    caller: "listens",
    ends: "completed",
    says: "second",
    entries: ran("run_command", "programs", "completed"),
    gaps: { cli: "progress is for terminals only", kernel: "the protocol is unary" },
  },
  "the same key again": {
    tool: "read_file",
    input: { path: "notes.txt" },
    first: { path: "notes.txt" },
    key: "again",
    ends: "completed",
    says: "hello from the notes",
    entries: ran("read_file", "look", "completed"),
    gaps: NO_KEY,
  },
  "the same key with other arguments": {
    tool: "read_file",
    input: { path: "token.txt" },
    first: { path: "notes.txt" },
    key: "other",
    ends: "DEDUPE_MISMATCH",
    entries: [...ran("read_file", "look", "completed"), ...refused("read_file", "DEDUPE_MISMATCH")],
    gaps: NO_KEY,
  },
  "a lease that is too narrow": {
    tool: "read_file",
    input: { path: "notes.txt" },
    lease: { tools: ["read_file"], read: ["./free/**"] },
    ends: "LEASE_SCOPE",
    entries: refused("read_file", "LEASE_SCOPE"),
    gaps: NO_SESSION,
  },
  "a budget that is spent": {
    tool: "read_file",
    input: { path: "notes.txt" },
    first: { path: "notes.txt" },
    lease: { tools: ["read_file"], read: ["./**"], budget: { calls: 1 } },
    ends: "BUDGET_EXCEEDED",
    entries: [...ran("read_file", "look", "completed"), ...refused("read_file", "BUDGET_EXCEEDED")],
    gaps: NO_SESSION,
  },
  "an upstream's tool": {
    tool: "up_echo",
    input: { text: "said above" },
    ends: "completed",
    says: "said above",
    entries: ran("up_echo", "up", "completed"),
    gaps: OWN_TOOLS,
  },
  "an upstream's tool that fails": {
    tool: "up_fail",
    input: {},
    ends: "TOOL_FAILED",
    says: "it went wrong",
    entries: ran("up_fail", "up", "failed TOOL_FAILED"),
    gaps: OWN_TOOLS,
  },
  "an upstream that dies in the middle": {
    tool: "up_crash",
    input: {},
    ends: "OUTCOME_UNKNOWN",
    entries: ran("up_crash", "up", "unknown OUTCOME_UNKNOWN"),
    gaps: OWN_TOOLS,
  },
  "a script tool": {
    tool: "greet",
    input: { who: "$(id) Ann" },
    ends: "completed",
    says: "hello $(id) Ann",
    entries: ran("greet", "scripts", "completed"),
    gaps: OWN_TOOLS,
  },
  "a limit of a script tool": {
    tool: "big_file",
    input: {},
    ends: "LIMIT_FSIZE",
    entries: ran("big_file", "scripts", "failed LIMIT_FSIZE"),
    gaps: OWN_TOOLS,
  },
  "a tool that waits for a person to type": {
    tool: "cat",
    input: {},
    ends: "INTERACTIVE_BLOCKED",
    entries: refused("cat", "INTERACTIVE_BLOCKED"),
    gaps: OWN_TOOLS,
  },
  "a client's tool": {
    tool: "count_words",
    input: { path: "notes.txt" },
    ends: "completed",
    says: "4 notes.txt",
    entries: ["requested count_words", "decided allow words", "dispatched", "executed completed"],
    gaps: {
      ...OWN_TOOLS,
      library: "only the server has clients",
      cli: "only the server has clients",
      "mcp-stdio": "only the server has clients",
    },
  },
  "a client's tool without a client": {
    tool: "count_words",
    input: { path: "notes.txt" },
    ends: "EXECUTOR_UNAVAILABLE",
    entries: refused("count_words", "EXECUTOR_UNAVAILABLE"),
    gaps: {
      ...OWN_TOOLS,
      rest: "the server waits 30 s for a client first",
      "mcp-http": "the server waits 30 s for a client first",
      a2a: "the server waits 30 s for a client first",
    },
  },
  "an artifact that nobody published": {
    tool: "fetch_artifact",
    input: { artifact_id: "none" },
    ends: "ARTIFACT_UNKNOWN",
    entries: ran("fetch_artifact", "published", "failed ARTIFACT_UNKNOWN"),
    gaps: { acp: OWN_TOOLS.acp },
  },
};
