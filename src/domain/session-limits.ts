import type { Limit } from "./limit.ts";

/** Limits of sessions and leases, part of `LIMITS`. */
export const SESSION_LIMITS = {
  leaseMs: {
    unit: "ms",
    default: 86_400_000,
    minimum: 1000,
    maximum: 366 * 86_400_000,
    because: "a lease that nobody thought about ends with the day; one for longer is written out",
  },
  leasePatterns: {
    unit: "count",
    default: 1000,
    minimum: 0,
    maximum: 1000,
    because: "each is looked at for each touch of each call",
  },
  leaseDepth: {
    unit: "count",
    default: 8,
    minimum: 1,
    maximum: 8,
    because: "every call is held against the lease of each session above its own",
  },
  sessionLabel: {
    unit: "codepoints",
    default: 100,
    minimum: 0,
    maximum: 100,
    because: "a name for people, in a list",
  },
  wrongTokens: {
    unit: "count",
    default: 10,
    minimum: 1,
    maximum: 1000,
    because: "how many wrong tokens a minute are answered and recorded one by one; more are only counted",
  },
  dedupeMs: {
    unit: "ms",
    default: 3_600_000,
    minimum: 1000,
    maximum: 86_400_000,
    because: "a caller that still tries again after an hour has another reason than a lost answer",
  },
  dedupeKeys: {
    unit: "count",
    default: 100_000,
    minimum: 1,
    maximum: 100_000,
    because: "each is a row; of all callers together, and one has no more than what is free for the others",
  },
  dedupeBytes: {
    unit: "bytes",
    default: 100 * 1024 * 1024,
    minimum: 1024 * 1024,
    maximum: 1024 * 1024 * 1024,
    because:
      "results are kept so that a second caller hears the same; over this the oldest of a caller are kept shortened",
  },
  blobQuotaBytes: {
    unit: "bytes",
    default: 10 * 1024 * 1024 * 1024,
    minimum: 100 * 1024 * 1024,
    maximum: 1024 * 1024 * 1024 * 1024,
    because: "results of one project must not fill the disk that the ledger is on",
  },
  blobGraceMs: {
    unit: "ms",
    default: 3_600_000,
    minimum: 60_000,
    maximum: 366 * 86_400_000,
    because: "a blob is stored before the entry that names it, and no call takes longer than this to be recorded",
  },
} as const satisfies Record<string, Limit>;
