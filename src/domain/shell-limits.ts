import type { Limit } from "./limit.ts";

/** Of the table in `limits.ts`. */
export const SHELL_LIMITS = {
  commandBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 1,
    maximum: 1024 * 1024,
    because: "a command is parsed, judged and shown as a whole; the kernel starts none much longer",
  },
  shellCharacters: {
    unit: "codepoints",
    default: 65_536,
    minimum: 1,
    maximum: 65_536,
    because: "a longer command is a script, and no person has read it in a question",
  },
  shellDepth: {
    unit: "count",
    default: 40,
    minimum: 1,
    maximum: 60,
    because: "everything that reads a script recurses into it; people nest three deep",
  },
  shellCommands: {
    unit: "count",
    default: 1000,
    minimum: 1,
    maximum: 1000,
    because: "as many as a person could ever look through",
  },
  shellFiles: {
    unit: "count",
    default: 2000,
    minimum: 1,
    maximum: 2000,
    because: "files that a command names, in each folder where it may stand: every one is looked up and judged",
  },
  shellCarriers: {
    unit: "count",
    default: 8,
    minimum: 1,
    maximum: 8,
    because: "`sudo env timeout nice …`: more in a row are there to tire whoever reads them",
  },
  commandTimeoutMs: {
    unit: "ms",
    default: 120_000,
    minimum: 1,
    maximum: 3_600_000,
    because: "what real builds need; an hour is the longest that we want to wait for",
  },
  templateDepth: {
    unit: "count",
    default: 8,
    minimum: 1,
    maximum: 8,
    because: "sections inside sections: nobody reads more of them at once",
  },
} as const satisfies Record<string, Limit>;
