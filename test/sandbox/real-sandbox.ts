import { delimiter } from "node:path";
import type { Sandbox, SandboxCommand, SandboxEnd } from "../../src/ports/sandbox.ts";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { NEVER } from "../support/sample-calls.ts";

const SEARCH_PATH: readonly string[] = (process.env["PATH"] ?? "").split(delimiter);

/** bubblewrap as it is installed here. */
export const realSandbox = (workspace = "/nowhere"): Sandbox => openBubblewrap({ searchPath: SEARCH_PATH, workspace });

export const LIMITS_FOR_TESTS = { memoryBytes: 512 * 1024 * 1024, openFiles: 256 };

/** What a shell needs. Each is one of the folders of the system, or a link to it, as the system has it. */
const SYSTEM: SandboxCommand["mounts"] = ["/usr", "/bin", "/lib", "/lib64"].map((path) => ({
  kind: "installed",
  path,
  at: path,
}));

/** A shell script in the sandbox, with the system's own programs at hand. */
export const scripted = (
  script: string,
  mounts: SandboxCommand["mounts"] = [],
  limits = LIMITS_FOR_TESTS,
): SandboxCommand => ({ argv: ["/bin/bash", "-c", script], mounts: [...SYSTEM, ...mounts], limits });

export interface Ran {
  readonly end: SandboxEnd;
  readonly out: string;
}

export async function ran(command: SandboxCommand, sandbox = realSandbox(), signal = NEVER): Promise<Ran> {
  const { output, ended } = sandbox.start(command, signal);
  const chunks = await Array.fromAsync(output);
  return { end: await ended, out: Buffer.concat(chunks).toString() };
}
