import type { Limit } from "./limit.ts";

/** Of the table in `limits.ts`. */
export const SCHEMA_LIMITS = {
  schemaDepth: {
    unit: "count",
    default: 64,
    minimum: 8,
    maximum: 256,
    because: "everything that reads a schema recurses into it",
  },
  schemaValues: {
    unit: "count",
    default: 50_000,
    minimum: 1000,
    maximum: 1_000_000,
    because: "the longest lists of allowed values are a few thousand long",
  },
  schemaParts: {
    unit: "count",
    default: 1000,
    minimum: 100,
    maximum: 10_000,
    because: "each schema inside a schema takes a third of a millisecond to compile",
  },
  schemaRefs: {
    unit: "count",
    default: 200,
    minimum: 10,
    maximum: 300,
    because:
      "Ajv compiles a referred schema inside the one that refers to it; a chain of more than 170 may end the stack, and then nothing passes",
  },
  patternLength: {
    unit: "codepoints",
    default: 2000,
    minimum: 100,
    maximum: 10_000,
    because: "longer expressions are attacks or mistakes",
  },
  patternInstructions: {
    unit: "count",
    default: 5000,
    minimum: 100,
    maximum: 100_000,
    because: "the worst text costs all of them for each of its characters; `{1,1000}` needs 2000",
  },
  schemaInstructions: {
    unit: "count",
    default: 25_000,
    minimum: 1000,
    maximum: 1_000_000,
    because: "a thousand take about 4 ms to compile, and nobody else is answered meanwhile",
  },
  checkSteps: {
    unit: "count",
    default: 500_000,
    minimum: 10_000,
    maximum: 10_000_000,
    because: "a check holds up all other calls; this many steps take about 50 ms",
  },
} as const satisfies Record<string, Limit>;
