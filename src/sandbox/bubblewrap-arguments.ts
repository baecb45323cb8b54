import type { SandboxCommand } from "../ports/sandbox.ts";

/** Where the launcher finds its two pipes. It gets no other descriptor, and its program gets neither of them. */
const STATUS_FD = 3;
const START_FD = 4;

/** What the command line needs to know of the machine. */
export interface Launchers {
  readonly bwrap: string;
  readonly prlimit: string;
}

/**
 * The whole command line: limits, which everything below inherits, then the sandbox, then the program. The program
 * waits until something is written to the start pipe; `readyFolder` is there once all mounts are.
 */
export const launchArguments = (
  { argv, mounts, limits }: SandboxCommand,
  { bwrap, prlimit }: Launchers,
  readyFolder: string,
): readonly [string, ...string[]] => [
  prlimit,
  "--core=0",
  "--fsize=0",
  `--nofile=${limits.openFiles}`,
  `--data=${limits.memoryBytes}`,
  bwrap,
  ...ISOLATION,
  ...mounts.flatMap((mount) =>
    mount.kind === "installed" ? ["--ro-bind", mount.path, mount.at] : ["--ro-bind", mount.held.path, mount.held.path],
  ),
  ...["--dir", readyFolder],
  ...["--remount-ro", "/"],
  ...["--chdir", "/"],
  "--",
  ...argv,
];

const ISOLATION: readonly string[] = [
  "--unshare-all",
  "--unshare-user",
  "--disable-userns",
  "--die-with-parent",
  "--new-session",
  ...["--cap-drop", "ALL"],
  "--clearenv",
  ...["--json-status-fd", String(STATUS_FD)],
  ...["--block-fd", String(START_FD)],
];
