import type { Limit } from "./limit.ts";

/** Of tools that are described by ATIP metadata: the seed's. */
export const ATIP_LIMITS = {
  atipTimeoutMs: {
    unit: "ms",
    default: 30_000,
    minimum: 1,
    maximum: 600_000,
    because: "the seed's: 30 s, and 10 minutes for the longest; a description may say less, and never more",
  },
  atipOutputBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 1024,
    maximum: 10 * 1024 * 1024,
    because: "the seed's, of each of the two outputs, from the beginning",
  },
} as const satisfies Record<string, Limit>;
