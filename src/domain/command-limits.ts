import type { Limit } from "./limit.ts";

/** Of programs that a command starts. The defaults are what real builds need. */
export const COMMAND_LIMITS = {
  commandMemoryBytes: {
    unit: "bytes",
    default: 2 * 1024 * 1024 * 1024,
    minimum: 16 * 1024 * 1024,
    maximum: 64 * 1024 * 1024 * 1024,
    because: "what compilers and test runners of real projects need",
  },
  commandTasks: {
    unit: "count",
    default: 512,
    minimum: 8,
    maximum: 8192,
    because: "threads count too: `npm test` alone has some dozens",
  },
  commandOpenFiles: {
    unit: "count",
    default: 1024,
    minimum: 32,
    maximum: 65_536,
    because: "what most systems give to programs",
  },
  commandFileBytes: {
    unit: "bytes",
    default: 1024 * 1024 * 1024,
    minimum: 0,
    maximum: 64 * 1024 * 1024 * 1024,
    because: "no build has a larger file, and a bomb fills no disk at once",
  },
  commandPrivateBytes: {
    unit: "bytes",
    default: 1024 * 1024 * 1024,
    minimum: 1024 * 1024,
    maximum: 64 * 1024 * 1024 * 1024,
    because: "`/tmp` and the home of a program are in memory, and go with it",
  },
  commandKeptBytes: {
    unit: "bytes",
    default: 64 * 1024,
    minimum: 1024,
    maximum: 1024 * 1024,
    because: "what a model reads at once, of each of the two outputs",
  },
  commandOutputBytes: {
    unit: "bytes",
    default: 4 * 1024 * 1024 * 1024,
    minimum: 1024,
    maximum: 64 * 1024 * 1024 * 1024,
    because: "all of it is hashed; who prints more than this will never stop",
  },
  commandTermMs: {
    unit: "ms",
    default: 1000,
    minimum: 0,
    maximum: 1900,
    because: "half of the time that a tool has to stop; the rest is for the end of everything it has started",
  },
  commandKeepMs: {
    unit: "ms",
    default: 1500,
    minimum: 0,
    maximum: 1900,
    because: "so long after a program was told to stop its whole output may take to be kept; the rest is for its end",
  },
  coveredPaths: {
    unit: "count",
    default: 256,
    minimum: 1,
    maximum: 2000,
    because: "each place that a program may not see or change is a mount of its own, and bubblewrap takes so many",
  },
} as const satisfies Record<string, Limit>;
