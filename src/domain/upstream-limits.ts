import type { Limit } from "./limit.ts";

/** Of upstream MCP servers. */
export const UPSTREAM_LIMITS = {
  upstreamMessageBytes: {
    unit: "bytes",
    default: 16 * 1024 * 1024,
    minimum: 1024,
    maximum: 128 * 1024 * 1024,
    because: "a message is held, read and redacted as a whole",
  },
  upstreamItems: {
    unit: "count",
    default: 10_000,
    minimum: 10_000,
    maximum: 10_000,
    because: "each item of a result is searched and measured by itself, while everybody waits",
  },
  upstreamTools: {
    unit: "count",
    default: 1000,
    minimum: 1,
    maximum: 1000,
    because: "as many as a person could ever look through",
  },
  upstreamDefinitionBytes: {
    unit: "bytes",
    default: 64 * 1024,
    minimum: 1024,
    maximum: 1024 * 1024,
    because: "a model reads it with every turn",
  },
  upstreamListBytes: {
    unit: "bytes",
    default: 4 * 1024 * 1024,
    minimum: 64 * 1024,
    maximum: 64 * 1024 * 1024,
    because: "a model reads all of it with every turn, and everybody waits while it is compared",
  },
  upstreamInstructions: {
    unit: "count",
    default: 100_000,
    minimum: 1000,
    maximum: 1_000_000,
    because:
      "the patterns in its tools' schemas are compiled when they are listed, which takes about half a second for so many",
  },
  upstreamStartMs: {
    unit: "ms",
    default: 30_000,
    minimum: 1000,
    maximum: 600_000,
    because: "a package runner may fetch what it starts",
  },
  upstreamFailures: {
    unit: "count",
    default: 5,
    minimum: 1,
    maximum: 100,
    because: "one that fails so often in a row fails the next time too",
  },
  upstreamRestMs: {
    unit: "ms",
    default: 30_000,
    minimum: 100,
    maximum: 3_600_000,
    because: "long enough for somebody to mend it, short enough to be tried again",
  },
  upstreamConnections: {
    unit: "count",
    default: 16,
    minimum: 1,
    maximum: 256,
    because: "each one is a process, where sessions don't share it",
  },
} as const satisfies Record<string, Limit>;
