import { constants } from "node:os";
import { CODES, type Code } from "../../domain/codes.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Failure } from "../../domain/outcome.ts";
import type { LimitReached, SandboxEnd, SandboxLimits } from "../../ports/sandbox.ts";

type Exited = Extract<SandboxEnd, { kind: "exited" }>;

const SIGNALS: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

const OF_LIMIT = { memory: "LIMIT_MEMORY", processes: "LIMIT_PROCESSES" } as const satisfies Record<LimitReached, Code>;

/** How programs say that a limit was reached which nobody else has counted. They may lie: it is a failure in any case. */
const SAID: readonly (readonly [RegExp, Code])[] = [
  [
    /\bMemoryError\b|[Oo]ut of memory|Cannot allocate memory|std::bad_alloc|JavaScript heap|cannot allocate \d+ bytes/,
    "LIMIT_MEMORY",
  ],
  [
    /fork: (?:retry: )?Resource temporarily unavailable|pthread_create.*(?:failed|EAGAIN)|can't start new thread|BlockingIOError.*\b11\b|uv_thread_create/,
    "LIMIT_PROCESSES",
  ],
  [/No space left on device|ENOSPC/, "LIMIT_DISK"],
  [/File too large|EFBIG|File size limit exceeded/, "LIMIT_FSIZE"],
  [/Too many open files|EMFILE/, "LIMIT_FILES"],
];

const MEANS: Partial<Record<Code, (limits: SandboxLimits) => string>> = {
  LIMIT_MEMORY: ({ memoryBytes }) => `the program needed more than ${memoryBytes} bytes of memory`,
  LIMIT_PROCESSES: ({ tasks }) => `the program started more than ${tasks} tasks`,
  LIMIT_CPU: ({ cpuSeconds }) => `the program used more than ${cpuSeconds} s of processor time`,
  LIMIT_FSIZE: ({ fileBytes }) => `the program wrote a file of more than ${fileBytes} bytes`,
  LIMIT_FILES: ({ openFiles }) => `the program opened more than ${openFiles} files at a time`,
  LIMIT_DISK: () => "the program found no more space to write to",
};

/** Null: it ended well. Any other exit code is a failure, and stands in it as it was. */
export function failureFrom({ exitCode, errorText, reached = [] }: Exited, limits: SandboxLimits): Failure | null {
  if (exitCode === 0) return null;
  const signal = exitCode > 128 ? (SIGNALS.get(exitCode - 128) ?? null) : null;
  const code = limitCode(signal, errorText, reached) ?? "TOOL_FAILED";
  const message =
    MEANS[code]?.(limits) ??
    (signal === null
      ? `the program ended with exit code ${exitCode}`
      : `the program ended with ${exitCode}, as by ${signal}`);
  const detail: JsonObject | null = signal === null ? null : { signal };
  return { code, message, retryable: CODES[code].retryable, exitCode, ...(detail && { detail }) };
}

function limitCode(signal: string | null, errorText: string, reached: readonly LimitReached[]): Code | null {
  const [first] = reached;
  if (first !== undefined) return OF_LIMIT[first];
  if (signal === "SIGXCPU") return "LIMIT_CPU";
  if (signal === "SIGXFSZ") return "LIMIT_FSIZE";
  return SAID.find(([pattern]) => pattern.test(errorText))?.[1] ?? null;
}
