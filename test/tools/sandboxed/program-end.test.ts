import { expect, it } from "vitest";
import type { LimitReached } from "../../../src/ports/sandbox.ts";
import { failureFrom } from "../../../src/tools/sandboxed/program-end.ts";

const LIMITS = { memoryBytes: 1000, openFiles: 10, tasks: 3, fileBytes: 50, cpuSeconds: 2 };
const ended = (exitCode: number, errorText = "", reached: readonly LimitReached[] = []) =>
  failureFrom({ kind: "exited", exitCode, errorText, reached }, LIMITS);

it("a program that ends with 0 has ended well, whatever it said or met", () =>
  expect(ended(0, "MemoryError", ["processes"])).toBeNull());

it.each([
  [1, "", [], "TOOL_FAILED", "the program ended with exit code 1"],
  [139, "", [], "TOOL_FAILED", "the program ended with 139, as by SIGSEGV"],
  [255, "", [], "TOOL_FAILED", "the program ended with 255, as by"],
  [137, "", ["memory"], "LIMIT_MEMORY", "more than 1000 bytes"],
  [1, "", ["processes", "memory"], "LIMIT_PROCESSES", "more than 3 tasks"],
  [152, "", [], "LIMIT_CPU", "more than 2 s"],
  [153, "", [], "LIMIT_FSIZE", "more than 50 bytes"],
  [1, "x\nMemoryError\n", [], "LIMIT_MEMORY", "bytes of memory"],
  [254, "bash: fork: retry: Resource temporarily unavailable", [], "LIMIT_PROCESSES", "tasks"],
  [1, "OSError: [Errno 24] Too many open files: '/dev/null'", [], "LIMIT_FILES", "more than 10 files"],
  [1, "Error: EMFILE: too many open files, open 'x'", [], "LIMIT_FILES", "more than 10 files"],
  [1, "cp: error writing 'x': No space left on device", [], "LIMIT_DISK", "no more space"],
  [1, "write error: File too large", [], "LIMIT_FSIZE", "a file of more than"],
] as const)("%i with %j and %j is %s", (exitCode, text, reached, code, message) => {
  const failure = ended(exitCode, text, reached);
  expect(failure).toMatchObject({ code, exitCode, retryable: false });
  if (exitCode !== 255) expect(failure?.message).toContain(message);
});

it("says by which signal it would have ended", () =>
  expect([ended(143)?.detail, ended(3)?.detail]).toEqual([{ signal: "SIGTERM" }, undefined]));
