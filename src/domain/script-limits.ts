import type { Limit } from "./limit.ts";

const MB = 1024 * 1024;

/** Of script tools. The defaults are those of the A2A-ACP seed. */
export const SCRIPT_LIMITS = {
  scriptTimeoutMs: {
    unit: "ms",
    default: 30_000,
    minimum: 1,
    maximum: 3_600_000,
    because: "30 s as in the seed; an hour is the longest that anybody waits",
  },
  scriptMemoryMb: {
    unit: "count",
    default: 512,
    minimum: 16,
    maximum: 65_536,
    because: "the seed's; bash itself needs a few megabytes",
  },
  scriptCpuSeconds: { unit: "count", default: 30, minimum: 1, maximum: 3600, because: "the seed's" },
  scriptFileMb: { unit: "count", default: 10, minimum: 1, maximum: 65_536, because: "the seed's" },
  scriptOpenFiles: {
    unit: "count",
    default: 100,
    minimum: 8,
    maximum: 65_536,
    because: "the seed's; bash itself needs a handful",
  },
  scriptProcesses: { unit: "count", default: 10, minimum: 1, maximum: 8192, because: "the seed's" },
  scriptPrivateBytes: {
    unit: "bytes",
    default: 256 * MB,
    minimum: MB,
    maximum: 1024 * MB,
    because: "the working directory of an isolated tool is in memory, and goes with it",
  },
  scriptValuesBytes: {
    unit: "bytes",
    default: 64 * MB,
    minimum: MB,
    maximum: 64 * MB,
    because: "bash holds all values of a call in its memory, of which it has 512 MB",
  },
  retryAttempts: { unit: "count", default: 3, minimum: 1, maximum: 10, because: "the seed's; more only wait longer" },
  retryMultiplier: { unit: "count", default: 2, minimum: 1, maximum: 10, because: "the seed's" },
  retryDelaySeconds: { unit: "count", default: 1, minimum: 0, maximum: 3600, because: "before the first repetition" },
  retryMaxDelaySeconds: { unit: "count", default: 30, minimum: 0, maximum: 3600, because: "the seed's" },
  breakerFailures: { unit: "count", default: 5, minimum: 1, maximum: 1000, because: "the seed's" },
  breakerRecoverySeconds: { unit: "count", default: 60, minimum: 1, maximum: 86_400, because: "the seed's" },
  breakerPeriodSeconds: { unit: "count", default: 30, minimum: 1, maximum: 86_400, because: "the seed's" },
  cacheTtlSeconds: { unit: "count", default: 300, minimum: 1, maximum: 604_800, because: "the seed's" },
  cacheEntries: { unit: "count", default: 1000, minimum: 1, maximum: 10_000, because: "the seed's" },
} as const satisfies Record<string, Limit>;
