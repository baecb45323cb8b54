import { constants } from "node:os";
import { quoted } from "../domain/visible.ts";
import type { SandboxFault } from "../ports/sandbox.ts";
import type { FoundProgram } from "./find-program.ts";
import { setUpHint } from "./set-up-hints.ts";

export const missingProgram = (
  name: string,
  packageName: string,
  { kind }: Exclude<FoundProgram, { kind: "found" }>,
): SandboxFault =>
  kind === "absent"
    ? unavailable(
        `the program \`${name}\` is not on the PATH`,
        `install it, for example with \`apt install ${packageName}\``,
      )
    : unavailable(
        `the only program \`${name}\` on the PATH lies where this user or others could replace it`,
        `install it for the whole machine, for example with \`apt install ${packageName}\``,
      );

/** A word that can't be told to bubblewrap as one. */
export class NulInside extends Error {}

/** What the operating system said when the launcher was started. */
export function faultFromSpawn(error: unknown): SandboxFault {
  if (error instanceof NulInside) return NUL_INSIDE;
  const errno = error instanceof Error && "code" in error ? String(error.code) : null;
  if (errno === null) throw error;
  return errno === "E2BIG"
    ? spawnFailed("the command line is too long for the operating system", "use shorter patterns, or fewer rules")
    : spawnFailed(`the sandbox could not be started (${errno})`, BUSY);
}

const BUSY = "try again when the machine is less busy";

/** What a machine has for the moment no more of. Of user namespaces it says `No space left`, and that may be a setting. */
const EXHAUSTED = /^bwrap: .*: (Resource temporarily unavailable|Cannot allocate memory|Too many open files.*)$/m;

/** What was judged is no longer where it was. */
export const CHANGED: SandboxFault = {
  code: "CONFLICT",
  message: "what the program was going to see changed since it was judged",
  hint: "repeat the call",
};

/** As whom the launcher was started. */
export type LaunchedAs = "same" | "root" | "switched";

/** Root's tasks can be bounded by a cgroup only; without one another user runs programs, who may have no way in. */
const ROOT_REFUSED: SandboxFault = {
  code: "ROOT_REFUSED",
  message: "the gate runs as root, so programs run as another user, and that user can't reach the workspace",
  hint: "start the gate as the workspace's owner, or let it make cgroups, or open the way to the workspace for `nobody`",
};

const NUL_INSIDE: SandboxFault = {
  code: "SPAWN_FAILED",
  message: "an argument, a variable or a path holds a NUL, which no program can be given",
};

export const NOT_BOUNDED: SandboxFault = {
  code: "SPAWN_FAILED",
  message: "the limits of the program could not be set, so it was not started",
  hint: "try again when the machine is less busy",
};

export const NOT_BEGUN = spawnFailed("the sandbox could not be started", BUSY);

/** Found by bubblewrap at any of its steps: the source has gone, or is something else now. */
const VANISHED = /^bwrap: Can't .*: (No such file or directory|Not a directory|Is a directory)$/m;

export const UNSEEN: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "the gate can't look into the sandbox, so it can't tell what would be seen there",
  hint: "let this user look at its own processes in `/proc`",
};

const NOT_EXECUTED = spawnFailed("the program could not be started in the sandbox", "install the package anew");

/** What the kernel says of a file that it does not start. */
const NOT_STARTED: ReadonlyMap<number, SandboxFault> = new Map([
  [
    constants.errno.ENOEXEC,
    spawnFailed(
      "the program is no file that this machine can start",
      "name its interpreter before it, or in its first line: `#!/bin/sh`",
    ),
  ],
  [
    constants.errno.EACCES,
    spawnFailed("the program may not be started", "make it a file that may be executed: `chmod +x`"),
  ],
  [
    constants.errno.ENOENT,
    spawnFailed(
      "the program, or the interpreter that it names, is not there in the sandbox",
      "install it, or grant it to be read",
    ),
  ],
  [
    constants.errno.E2BIG,
    spawnFailed("the command line is too long for the operating system", "give it fewer or shorter arguments"),
  ],
]);

/** What the operating system said when what was in the sandbox was to become the program. */
export const faultFromStarter = (errno: number, launchedAs: LaunchedAs): SandboxFault =>
  launchedAs === "switched" && errno === constants.errno.EACCES
    ? ROOT_REFUSED
    : (NOT_STARTED.get(errno) ?? NOT_EXECUTED);

/** What bubblewrap said when it did not get to the program. Its text names paths of this machine, so it stays inside. */
export function faultFromLaunch(
  errorText: string,
  heldPaths: readonly string[],
  launchedAs: LaunchedAs = "same",
): SandboxFault {
  if (launchedAs === "switched" && /^bwrap: .*: Permission denied$/m.test(errorText)) return ROOT_REFUSED;
  if (VANISHED.test(errorText) && heldPaths.some((path) => errorText.includes(path))) return CHANGED;
  if (/^bwrap: execvp /m.test(errorText)) return NOT_EXECUTED;
  if (EXHAUSTED.test(errorText))
    return spawnFailed("the sandbox could not be set up for want of processes, memory or descriptors", BUSY);
  const reason = errorText.split("\n").find((line) => line.startsWith("bwrap: ")) ?? "it ended without a word";
  const words = quoted(withoutPaths(reason), { max: REASON_CHARS_MAX });
  return unavailable(`the sandbox could not be set up: ${words}`, setUpHint(errorText));
}

/** bubblewrap's longest message explains what to do, at its end. */
const REASON_CHARS_MAX = 400;

/** Messages name no paths of this machine. Kernel settings are the same on every machine. */
const withoutPaths = (line: string): string =>
  line.replaceAll(/\/\S+/g, (path) => (path.startsWith("/proc/sys/") ? path : "…"));

function unavailable(message: string, hint: string): SandboxFault {
  return { code: "SANDBOX_UNAVAILABLE", message, hint };
}

function spawnFailed(message: string, hint: string): SandboxFault {
  return { code: "SPAWN_FAILED", message, hint };
}
