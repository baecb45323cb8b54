import type { Mount, SandboxCommand } from "../ports/sandbox.ts";

/** Where the launcher finds the status pipe; the held paths come behind it, in the order of the mounts. */
const STATUS_FD = 3;
const FIRST_HELD_FD = STATUS_FD + 1;

/** What the command line needs to know of the machine. */
export interface Launchers {
  readonly bwrap: string;
  readonly prlimit: string;
}

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  /** Descriptors of this process that the launcher gets, from `FIRST_HELD_FD` on. */
  readonly fds: readonly number[];
}

/** The whole command line: limits, which everything below inherits, then the sandbox, then the program. */
export function launchOf({ argv, mounts, limits }: SandboxCommand, { bwrap, prlimit }: Launchers): Launch {
  const held = mounts.filter((mount) => mount.kind === "held").map((mount) => mount.held);
  if (held.filter(({ kind }) => kind === "directory").length > 1) {
    throw new TypeError("a sandbox holds at most one directory");
  }
  const fdOf = (mount: Extract<Mount, { kind: "held" }>) => FIRST_HELD_FD + held.indexOf(mount.held);
  return {
    argv: [
      prlimit,
      "--core=0",
      "--fsize=0",
      `--nofile=${limits.openFiles}`,
      `--data=${limits.memoryBytes}`,
      bwrap,
      ...ISOLATION,
      ...mounts.flatMap((mount) =>
        mount.kind === "installed"
          ? ["--ro-bind", mount.path, mount.at]
          : ["--ro-bind", `/proc/self/fd/${fdOf(mount)}`, mount.held.path],
      ),
      ...mounts.flatMap((mount) =>
        mount.kind === "held" && mount.held.kind === "directory" ? closing(fdOf(mount)) : [],
      ),
      "--remount-ro",
      "/",
      "--chdir",
      "/",
      "--",
      ...argv,
    ],
    fds: held.map(({ fd }) => fd),
  };
}

const ISOLATION: readonly string[] = [
  "--unshare-all",
  "--unshare-user",
  "--disable-userns",
  "--die-with-parent",
  "--new-session",
  ...["--cap-drop", "ALL"],
  "--clearenv",
  ...["--json-status-fd", String(STATUS_FD)],
];

/**
 * Through the descriptor of a directory, `..` leads out of the sandbox, and bubblewrap hands on what it was given.
 * This option reads from it and closes it, after the mounts and before the program. Reading from a descriptor that is
 * not open for data fails at once, and bubblewrap does not mind. (A file's descriptor leads nowhere.)
 */
const closing = (fd: number): readonly string[] => ["--block-fd", String(fd)];
