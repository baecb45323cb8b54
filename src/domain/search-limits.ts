import type { Limit } from "./limit.ts";

/** Of the table in `limits.ts`. */
export const SEARCH_LIMITS = {
  searchMatches: {
    unit: "count",
    default: 500,
    minimum: 1,
    maximum: 2000,
    because: "whoever finds more has asked too widely; the maximum is the APM2 seed's",
  },
  searchBytes: {
    unit: "bytes",
    default: 64 * 1024,
    minimum: 1024,
    maximum: 1024 * 1024,
    because: "what a model reads at once; the default is the APM2 seed's",
  },
  searchContextLines: {
    unit: "count",
    default: 0,
    minimum: 0,
    maximum: 20,
    because: "whoever needs more wants to read the file",
  },
  searchMs: {
    unit: "ms",
    default: 20_000,
    minimum: 100,
    maximum: 25_000,
    because: "ends before the tool's own time does, so that what was found by then is not lost",
  },
  searchFileBytes: {
    unit: "bytes",
    default: 100 * 1024 * 1024,
    minimum: 1,
    maximum: 1024 * 1024 * 1024,
    because: "a line is held in memory, and a file may be a single one",
  },
  searchMemoryBytes: {
    unit: "bytes",
    default: 512 * 1024 * 1024,
    minimum: 64 * 1024 * 1024,
    maximum: 4 * 1024 * 1024 * 1024,
    because: "a search needs a tenth of it; a hostile tree must not take the machine's",
  },
} as const satisfies Record<string, Limit>;
