/** A number somebody may set: where it may lie, and why. */
export interface Limit {
  readonly unit: "bytes" | "ms" | "codepoints" | "count";
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly because: string;
}

/** Hard limits. Most numbers are the APM2 seed's. */
export const LIMITS = {
  pathBytes: {
    unit: "bytes",
    default: 4096,
    minimum: 1,
    maximum: 4096,
    because: "the kernel opens no longer path (PATH_MAX)",
  },
  readBytes: {
    unit: "bytes",
    default: 100 * 1024 * 1024,
    minimum: 1,
    maximum: 1024 * 1024 * 1024,
    because: "a larger file does not fit into an answer to a model",
  },
  writeBytes: {
    unit: "bytes",
    default: 100 * 1024 * 1024,
    minimum: 1,
    maximum: 100 * 1024 * 1024,
    because: "content arrives as one JSON text and is hashed before it is judged",
  },
  toolTimeoutMs: {
    unit: "ms",
    default: 30_000,
    minimum: 1,
    maximum: 3_600_000,
    because: "30 s on every door; an hour is the longest build that we want to wait for",
  },
  stopGraceMs: {
    unit: "ms",
    default: 2000,
    minimum: 0,
    maximum: 60_000,
    because: "a tool that was told to stop gets this long to clean up; after it the outcome is unknown",
  },
  approvalMs: {
    unit: "ms",
    default: 300_000,
    minimum: 1000,
    maximum: 86_400_000,
    because: "a question older than this no longer has the asker's attention",
  },
  ledgerWaitMs: {
    unit: "ms",
    default: 5000,
    minimum: 0,
    maximum: 60_000,
    because: "how long a commit waits for another process's lock before the call is refused",
  },
} as const satisfies Record<string, Limit>;
