import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Secret } from "../domain/secret.ts";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram } from "../ports/sandbox.ts";
import { notStarted } from "./bubblewrap.ts";
import { childProcess } from "./child-process.ts";
import { mergedOutput } from "./merged-output.ts";
import { inputOf } from "./program-input.ts";
import { faultFromSpawn } from "./sandbox-faults.ts";

/**
 * Programs that nothing holds in: a clean environment, a home of their own, a session of their own. Only where the
 * operator wrote `sandbox: { minimum: none }`, and every plan, outcome and entry says so.
 */
export const openUncontained = ({ searchPath }: { readonly searchPath: readonly string[] }): Sandbox => ({
  missing: () => null,
  report: () => ({ backend: "none", memory: "none", network: "host", seccomp: false, tasks: "none", user: "same" }),
  start: (command, signal) => {
    if (signal.aborted) return notStarted({ kind: "stopped" });
    try {
      return started(command, searchPath, signal);
    } catch (error) {
      return notStarted({ kind: "refused", fault: faultFromSpawn(error) });
    }
  },
});

/** Its own folder lies elsewhere than in a sandbox, and variables that name it have to say so. */
const shownAs = (value: string | Secret, { ownFolder }: SandboxCommand, own: string | null): string => {
  if (typeof value !== "string") return value.reveal();
  return own !== null && value === ownFolder ? own : value;
};

/** A program that is about to say why it could not be started. */
const failing = (child: ChildProcess): SandboxedProgram => ({
  ...notStarted({ kind: "stopped" }),
  ended: new Promise((resolve) =>
    child.once("error", (error) => resolve({ kind: "refused", fault: faultFromSpawn(error) })),
  ),
});

const ERROR_CHARS_MAX = 16 * 1024;

/** No repository but one that is called so (`.git`) or named: in a sandbox a file says it. */
const GIT_SETTINGS = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.bareRepository",
  GIT_CONFIG_VALUE_0: "explicit",
};

function started(command: SandboxCommand, searchPath: readonly string[], signal: AbortSignal): SandboxedProgram {
  const [program, ...args] = command.argv;
  const home = mkdtempSync(join(tmpdir(), "toolgate-home-"));
  const base = { PATH: searchPath.join(":"), HOME: home, TMPDIR: home, LANG: "C.UTF-8", TERM: "dumb", ...GIT_SETTINGS };
  const own = command.ownFolder === undefined ? null : join(home, basename(command.ownFolder));
  if (own !== null) mkdirSync(own, { mode: 0o700 });
  const given = Object.entries(command.env ?? {}).map(([name, value]) => [name, shownAs(value, command, own)]);
  const child = childProcess().spawn(program, args, {
    cwd: own ?? command.cwd ?? "/",
    env: { ...base, ...Object.fromEntries(given) },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // Without descriptors for its pipes there are none, and the error comes later.
  if ((child as { stdio?: unknown }).stdio === undefined) {
    rmSync(home, { recursive: true, force: true });
    return failing(child);
  }
  const input = inputOf(child.stdin, command.stdin ?? "");
  let isStopped = false;
  let errorText = "";
  const signalAll = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has gone.
    }
  };
  const stop = (): void => {
    isStopped = true;
    signalAll("SIGTERM");
    setTimeout(() => signalAll("SIGKILL"), command.termGraceMs ?? 0).unref();
  };
  signal.addEventListener("abort", stop, { once: true });
  const ended = new Promise<SandboxEnd>((resolve) => {
    const end = (how: SandboxEnd): void => {
      signal.removeEventListener("abort", stop);
      signalAll("SIGKILL"); // whoever is left of its group
      rmSync(home, { recursive: true, force: true });
      resolve(how);
    };
    child.once("error", (error) => end({ kind: "refused", fault: faultFromSpawn(error) }));
    // Whoever left the group may hold the pipes for ever, so the program's own end is the end.
    child.once("exit", (code, killedBy) => {
      signalAll("SIGKILL");
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        if (isStopped) end({ kind: "stopped" });
        else end({ kind: "exited", exitCode: code ?? 128 + numberOf(killedBy), errorText });
      }, PIPES_MS);
    });
  });
  async function* chunks() {
    for await (const chunk of mergedOutput(child.stdout, child.stderr)) {
      if (chunk.from === "stderr" && errorText.length < ERROR_CHARS_MAX) errorText += Buffer.from(chunk.bytes);
      yield chunk;
    }
  }
  async function* output() {
    for await (const { from, bytes } of chunks()) if (from === "stdout") yield bytes;
  }
  return { input, output: output(), chunks: chunks(), ended, stop };
}

/** What is still in the pipes when the program has ended. */
const PIPES_MS = 50;

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };
const numberOf = (name: NodeJS.Signals | null): number => SIGNAL_NUMBERS[name ?? ""] ?? 0;
