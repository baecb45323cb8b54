import type { Limit } from "./limit.ts";

/** Of governors. The timeout's default is that of the A2A-ACP seed. */
export const GOVERNOR_LIMITS = {
  governors: {
    unit: "count",
    default: 50,
    minimum: 0,
    maximum: 50,
    because: "each of them is asked about every call",
  },
  governorTimeoutMs: {
    unit: "ms",
    default: 5000,
    minimum: 100,
    maximum: 60_000,
    because: "every call waits for it; a program needs some time to start",
  },
  governorPrograms: {
    unit: "count",
    default: 16,
    minimum: 1,
    maximum: 16,
    because: "one is started for every call, and so many at once are fast; more make all of them late",
  },
  governorAnswerBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 1024,
    maximum: 1024 * 1024,
    because: "a verdict with its reasons; nobody reads more",
  },
  governorMessages: {
    unit: "count",
    default: 20,
    minimum: 1,
    maximum: 20,
    because: "they stand in the question and in the ledger; those after it are left out",
  },
  governorMessageLength: {
    unit: "codepoints",
    default: 1000,
    minimum: 1,
    maximum: 1000,
    because: "as long as a person's reason; the rest is cut off",
  },
  governorOptionLength: {
    unit: "codepoints",
    default: 100,
    minimum: 1,
    maximum: 100,
    because: "it is a name, and a longer one is a mistake",
  },
  governorMetadataBytes: {
    unit: "bytes",
    default: 4096,
    minimum: 2,
    maximum: 4096,
    because: "it stands in the ledger for ever; more is left out as a whole",
  },
} as const satisfies Record<string, Limit>;
