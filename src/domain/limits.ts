import { ATIP_LIMITS } from "./atip-limits.ts";
import { COMMAND_LIMITS } from "./command-limits.ts";
import { EXECUTOR_LIMITS } from "./executor-limits.ts";
import { GOVERNOR_LIMITS } from "./governor-limits.ts";
import { INFERENCE_LIMITS } from "./inference-limits.ts";
import type { Limit } from "./limit.ts";
import { SCHEMA_LIMITS } from "./schema-limits.ts";
import { SCRIPT_LIMITS } from "./script-limits.ts";
import { SEARCH_LIMITS } from "./search-limits.ts";
import { SERVER_LIMITS } from "./server-limits.ts";
import { SESSION_LIMITS } from "./session-limits.ts";
import { SHELL_LIMITS } from "./shell-limits.ts";
import { UPSTREAM_LIMITS } from "./upstream-limits.ts";

/** Hard limits. Most maxima are the APM2 seed's; `test/domain/limits.test.ts` holds them against it. */
export const LIMITS = {
  ...SHELL_LIMITS,
  ...COMMAND_LIMITS,
  ...SCRIPT_LIMITS,
  ...SEARCH_LIMITS,
  ...SCHEMA_LIMITS,
  ...UPSTREAM_LIMITS,
  ...SERVER_LIMITS,
  ...EXECUTOR_LIMITS,
  ...ATIP_LIMITS,
  ...SESSION_LIMITS,
  ...GOVERNOR_LIMITS,
  ...INFERENCE_LIMITS,
  idLength: {
    unit: "codepoints",
    default: 256,
    minimum: 1,
    maximum: 256,
    because: "ids are keys of tables and lines of logs",
  },
  pathBytes: {
    unit: "bytes",
    default: 4096,
    minimum: 1,
    maximum: 4096,
    because: "the kernel opens no longer path (PATH_MAX)",
  },
  newFolders: {
    unit: "count",
    default: 64,
    minimum: 1,
    maximum: 64,
    because: "each folder that a file needs is judged, shown and synced by itself",
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
  itemBytes: {
    unit: "bytes",
    default: 32 * 1024,
    minimum: 1,
    maximum: 32 * 1024,
    because: "one environment variable, argument or metadata entry",
  },
  repeatedItems: {
    unit: "count",
    default: 1000,
    minimum: 0,
    maximum: 1000,
    because: "as many entries as a person could ever look through",
  },
  tokens: {
    unit: "count",
    default: 4096,
    minimum: 1,
    maximum: 1_000_000,
    because: "more than any model answers with at once",
  },
  hashBytes: {
    unit: "bytes",
    default: 32,
    minimum: 32,
    maximum: 32,
    because: "BLAKE3 and SHA-256 have this length, and a shorter hash is a wrong one",
  },
  jsonBytes: {
    unit: "bytes",
    default: 128 * 1024 * 1024,
    minimum: 1024,
    maximum: 256 * 1024 * 1024,
    because: "holds the largest content that can be written, with its escapes; no string of the engine holds 512 MB",
  },
  jsonDepth: {
    unit: "count",
    default: 256,
    minimum: 1,
    maximum: 512,
    because: "deeper than any tool's arguments, and far from the end of the stack",
  },
  jsonValues: {
    unit: "count",
    default: 250_000,
    minimum: 1,
    maximum: 10_000_000,
    because: "what can be read, hashed and checked without holding up other calls",
  },
  editBytes: {
    unit: "bytes",
    default: 10 * 1024 * 1024,
    minimum: 1,
    maximum: 10 * 1024 * 1024,
    because: "an edited file is searched, compared and shown as a whole",
  },
  editCount: {
    unit: "count",
    default: 200,
    minimum: 1,
    maximum: 200,
    because: "each edit searches the whole file",
  },
  patchBytes: {
    unit: "bytes",
    default: 10 * 1024 * 1024,
    minimum: 1,
    maximum: 10 * 1024 * 1024,
    because: "a patch is no larger than the largest file that can be edited",
  },
  patchFiles: {
    unit: "count",
    default: 500,
    minimum: 1,
    maximum: 500,
    because: "a directory is held open for each file of a patch until all are in place",
  },
  listEntries: {
    unit: "count",
    default: 1000,
    minimum: 1,
    maximum: 2000,
    because: "a longer list fills a model's context and helps nobody",
  },
  walkEntries: {
    unit: "count",
    default: 100_000,
    minimum: 1,
    maximum: 1_000_000,
    because: "how much of a tree is looked at for one listing",
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
  batchConcurrency: {
    unit: "count",
    default: 16,
    minimum: 1,
    maximum: 256,
    because: "calls side by side share their commits; more than a disk can serve only wait in memory",
  },
  approvalMs: {
    unit: "ms",
    default: 300_000,
    minimum: 1000,
    maximum: 86_400_000,
    because: "a question older than this no longer has the asker's attention",
  },
  approvalHighMs: {
    unit: "ms",
    default: 600_000,
    minimum: 1000,
    maximum: 86_400_000,
    because: "what can do much harm deserves a longer look",
  },
  openQuestionsOfSession: {
    unit: "count",
    default: 50,
    minimum: 1,
    maximum: 1000,
    because: "questions of one agent's session, or of one user, at a time; the desk is everybody's",
  },
  openQuestions: {
    unit: "count",
    default: 100,
    minimum: 1,
    maximum: 1000,
    because: "who is asked more than this at a time no longer reads what they approve",
  },
  answerLength: {
    unit: "codepoints",
    default: 1000,
    minimum: 1,
    maximum: 1000,
    because: "who answered and why stands in the ledger for ever",
  },
  resultBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 1024,
    maximum: 100 * 1024 * 1024,
    because: "more fills a model's context many times over; the whole is kept as a blob",
  },
  entryTextBytes: {
    unit: "bytes",
    default: 4096,
    minimum: 1024,
    maximum: 64 * 1024,
    because: "entries are read and hashed by the million; a longer text is kept as a blob",
  },
  blobBytes: {
    unit: "bytes",
    default: 100 * 1024 * 1024,
    minimum: 1024 * 1024,
    maximum: 100 * 1024 * 1024,
    because: "as much as can be read or written in one call",
  },
  ledgerWaitMs: {
    unit: "ms",
    default: 5000,
    minimum: 0,
    maximum: 60_000,
    because: "how long a commit waits for another process's lock before the call is refused",
  },
} as const satisfies Record<string, Limit>;
