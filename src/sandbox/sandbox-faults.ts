import { quoted } from "../domain/visible.ts";
import type { SandboxFault } from "../ports/sandbox.ts";
import type { FoundProgram } from "./find-program.ts";
import type { ProgramUser } from "./program-user.ts";
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

/** The program can't be started, and this says why. */
export class NotStartable extends Error {
  readonly fault: SandboxFault;

  constructor(fault: SandboxFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** What the operating system said when bubblewrap was started. */
export function faultFromSpawn(error: unknown): SandboxFault {
  if (error instanceof NotStartable) return error.fault;
  const errno = error instanceof Error && "code" in error ? String(error.code) : null;
  if (errno === null) throw error;
  return errno === "E2BIG" ? TOO_LONG : spawnFailed(`the sandbox could not be started (${errno})`, BUSY);
}

const BUSY = "try again when the machine is less busy";

/** The machine has no more of something at the moment. `No space left` for user namespaces may be a setting instead. */
const EXHAUSTED = /^bwrap: .*: (Resource temporarily unavailable|Cannot allocate memory|Too many open files.*)$/m;

export const CHANGED: SandboxFault = {
  code: "CONFLICT",
  message: "what the program was going to see changed since it was judged",
  hint: "repeat the call",
};

/** The workspace's owner can't get to something that has to be mounted. */
const ROOT_REFUSED: SandboxFault = {
  code: "ROOT_REFUSED",
  message: "the gate runs as root, so programs run as the workspace's owner, who may not enter a folder that they need",
  hint: "give the workspace to root, or let its owner enter all folders above it: `chmod o+x`",
};

export const DEVICES_OPEN: SandboxFault = {
  code: "ROOT_REFUSED",
  message:
    "the gate runs as root and can't make a mount namespace, so programs of root could change this machine's devices",
  hint: "start the gate as an ordinary user, or give it `CAP_SYS_ADMIN`",
};

export const NUL_INSIDE: SandboxFault = {
  code: "SPAWN_FAILED",
  message: "an argument, a variable or a path holds a NUL, which no program can be given",
};

export const NOT_A_PATH: SandboxFault = {
  code: "SPAWN_FAILED",
  message: "the program is not named by its path",
};

export const NOT_BOUNDED: SandboxFault = {
  code: "SPAWN_FAILED",
  message: "the limits of the program could not be set, so it was not started",
  hint: "try again when the machine is less busy",
};

export const NOT_BEGUN = spawnFailed("the sandbox could not be started", BUSY);

/** The source of a mount has gone, or is of another kind now. */
const VANISHED = /^bwrap: Can't .*: (No such file or directory|Not a directory|Is a directory)$/m;

export const UNSEEN: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "the gate can't check what is mounted in the sandbox",
  hint: "let this user look at its own processes in `/proc`",
};

const TOO_LONG = spawnFailed(
  "the command line is too long for the operating system",
  "use fewer or shorter arguments, patterns or rules",
);

const NOT_EXECUTED = spawnFailed("the program could not be started in the sandbox", "install the package anew");

/** The kernel starts programs of this processor, and scripts that name their interpreter. */
export const NOT_STARTABLE = spawnFailed(
  "the program is not a file that this machine can start",
  "name its interpreter before it, or in its first line: `#!/bin/sh`",
);

/** bubblewrap says why the kernel refused the program in the words of the C library. */
const EXEC_FAILED = /^bwrap: execvp .*: ([^:\n]+)$/m;

const EXEC_FAULTS: ReadonlyMap<string, SandboxFault> = new Map([
  ["Exec format error", NOT_STARTABLE],
  [
    "Permission denied",
    spawnFailed("the program may not be started", "make it a file that may be executed: `chmod +x`"),
  ],
  [
    "No such file or directory",
    spawnFailed(
      "the program, or the interpreter that it names, is not there in the sandbox",
      "install it, or grant it to be read",
    ),
  ],
  ["Argument list too long", TOO_LONG],
]);

/** Why bubblewrap did not start the program, by its stderr. That text names paths of this machine and stays inside. */
export function faultFromLaunch(
  errorText: string,
  heldPaths: readonly string[],
  user: ProgramUser["kind"] = "same",
): SandboxFault {
  const execFailure = EXEC_FAILED.exec(errorText)?.[1];
  if (execFailure !== undefined) return EXEC_FAULTS.get(execFailure) ?? NOT_EXECUTED;
  if (user === "switched" && /^bwrap: .*: Permission denied$/m.test(errorText)) return ROOT_REFUSED;
  if (VANISHED.test(errorText) && heldPaths.some((path) => errorText.includes(path))) return CHANGED;
  if (EXHAUSTED.test(errorText))
    return spawnFailed("the sandbox could not be set up for want of processes, memory or descriptors", BUSY);
  const reason = errorText.split("\n").find((line) => line.startsWith("bwrap: ")) ?? "it ended without a word";
  const words = quoted(withoutPaths(reason), { max: REASON_CHARS_MAX });
  return unavailable(`the sandbox could not be set up: ${words}`, setUpHint(errorText));
}

/** bubblewrap's longest message explains what to do, at its end. */
const REASON_CHARS_MAX = 400;

/** Messages name no paths of this machine. Kernel settings and links to documentation are the same on every machine. */
const withoutPaths = (line: string): string =>
  line.replaceAll(/\S+/g, (word) => (word.includes("/") && !IS_KNOWN.test(word) ? "…" : word));

const IS_KNOWN = /^(\/proc\/sys\/|[<(]?https?:\/\/)/;

function unavailable(message: string, hint: string): SandboxFault {
  return { code: "SANDBOX_UNAVAILABLE", message, hint };
}

function spawnFailed(message: string, hint: string): SandboxFault {
  return { code: "SPAWN_FAILED", message, hint };
}
