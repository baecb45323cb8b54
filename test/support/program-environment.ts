import { tmpdir } from "node:os";

/** The variables that a program needs to start, and to start fast. Nothing else of the tests' own environment. */
export const PROGRAM_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  // Each test file has its own.
  get TMPDIR() {
    return tmpdir();
  },
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
};
