import { CALL_SOCKET, type Mount, OWN_HOME, PROXY_SOCKET, type SandboxCommand } from "../ports/sandbox.ts";
import type { SystemView } from "./system-view.ts";

/** The descriptors that bubblewrap is started with, beside the program's own three. The program gets none of them. */
export const LAUNCH_FDS = {
  ...{ status: 3, options: 4, filter: 5, accounts: 6, groups: 7, hosts: 8, git: 9 },
} as const;

/** The home of each program. No folder of the machine has this name. */
export const HOME = OWN_HOME;

/** bubblewrap writes files of `/etc` within the program's own limits. */
const ETC_BYTES = 4096;
const PRIVATE_BYTES = 1024 * 1024 * 1024;

export interface LaunchPrograms {
  readonly bwrap: string;
  readonly prlimit: string;
}

/** `counted`: a cgroup counts the memory of all processes together, so that address space need not be bounded. */
export type MemoryBound = "counted" | "of each process";

/** The whole command line: the limits, the sandbox, the program. */
export const launchArguments = (
  command: SandboxCommand,
  { bwrap, prlimit }: LaunchPrograms,
  memory: MemoryBound,
): readonly [string, ...string[]] => [
  prlimit,
  ...inheritedLimits(command, memory),
  bwrap,
  ...["--args", String(LAUNCH_FDS.options)],
  "--",
  ...command.argv,
];

/** Limits that bubblewrap and everything below it inherit. */
function inheritedLimits({ limits, view }: SandboxCommand, memory: MemoryBound): readonly string[] {
  const fileBytes = Math.max(limits.fileBytes ?? 0, view === "system" ? ETC_BYTES : 0);
  const { cpuSeconds } = limits;
  return [
    "--core=0",
    `--fsize=${fileBytes}`,
    `--nofile=${limits.openFiles}`,
    ...(memory === "counted" ? [] : [`--data=${limits.memoryBytes}`]),
    // The first sends SIGXCPU, which tells that this limit was reached. The second kills a program that ignores it.
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + 1}`]),
  ];
}

/**
 * The options that bubblewrap reads from a pipe, where no other user can see them. `readyFolder` is made last: once it is
 * there, all mounts are. Then bubblewrap waits for the system call filter.
 */
export const sandboxOptions = (command: SandboxCommand, system: SystemView, readyFolder: string): readonly string[] => [
  ...ISOLATION,
  ...(command.view === "system" ? systemOptions(command, system) : []),
  ...Object.entries(command.env ?? {}).flatMap(([name, value]) => [
    "--setenv",
    name,
    typeof value === "string" ? value : value.reveal(),
  ]),
  ...command.mounts.flatMap(mountOptions),
  ...(command.proxySocket === undefined ? [] : ["--ro-bind", command.proxySocket, PROXY_SOCKET]),
  ...(command.callSocket === undefined ? [] : ["--ro-bind", command.callSocket, CALL_SOCKET]),
  ...["--dir", readyFolder],
  ...(command.ownFolder === undefined ? [] : ["--perms", "0700", "--dir", command.ownFolder]),
  ...["--remount-ro", "/"],
  ...["--chdir", startFolder(command)],
];

/** The folder in which the program begins. */
export const startFolder = ({ ownFolder, cwd }: SandboxCommand): string => ownFolder ?? cwd ?? "/";

function mountOptions(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "installed":
      return ["--ro-bind", mount.path, mount.at];
    case "held":
    case "kept":
      return [mount.access === "write" ? "--bind" : "--ro-bind", mount.held.path, mount.held.path];
    case "hidden":
      // On a plain bind devices don't work, so nobody can open this one.
      return mount.as === "file"
        ? ["--ro-bind", "/dev/null", mount.path]
        : [
            "--perms",
            mount.as === "empty" ? "0555" : "0000",
            "--size",
            "4096",
            "--tmpfs",
            mount.path,
            "--remount-ro",
            mount.path,
          ];
    default:
      return mount satisfies never;
  }
}

const ISOLATION: readonly string[] = [
  "--unshare-all",
  "--unshare-user",
  "--disable-userns",
  "--die-with-parent",
  "--new-session",
  ...["--cap-drop", "ALL"],
  "--clearenv",
  ...["--seccomp", String(LAUNCH_FDS.filter)],
  ...["--json-status-fd", String(LAUNCH_FDS.status)],
];

const systemOptions = ({ limits }: SandboxCommand, { options, path }: SystemView): readonly string[] => {
  const size = ["--size", String(limits.privateBytes ?? PRIVATE_BYTES)];
  return [
    ...options,
    ...["--file", String(LAUNCH_FDS.accounts), "/etc/passwd"],
    ...["--file", String(LAUNCH_FDS.groups), "/etc/group"],
    ...["--file", String(LAUNCH_FDS.hosts), "/etc/hosts"],
    ...["--file", String(LAUNCH_FDS.git), GIT_CONFIG],
    ...["--hostname", "toolgate"],
    ...["--proc", "/proc"],
    // A process of root may write settings of the kernel without any capability, and `core_pattern` alone is a way out.
    // bubblewrap closes some folders only.
    ...["--remount-ro", "/proc"],
    ...["--dev", "/dev"],
    // A `tmpfs` with a size: without one, `/dev` could take half of the machine's memory.
    ...["--perms", "1777", ...size, "--tmpfs", "/dev/shm"],
    ...["--remount-ro", "/dev"],
    ...["--perms", "1777", ...size, "--tmpfs", "/tmp"],
    ...["--perms", "0700", ...size, "--tmpfs", HOME],
    ...["--setenv", "PATH", path.join(":")],
    ...["--setenv", "HOME", HOME],
    ...["--setenv", "TMPDIR", "/tmp"],
    ...["--setenv", "LANG", "C.UTF-8"],
    ...["--setenv", "TERM", "dumb"],
    ...["--setenv", "USER", ACCOUNT],
    ...["--setenv", "LOGNAME", ACCOUNT],
    // For a git that was built with another place for its settings.
    ...["--setenv", "GIT_CONFIG_SYSTEM", GIT_CONFIG],
  ];
};

const GIT_CONFIG = "/etc/gitconfig";

/** The name of the user inside. */
export const ACCOUNT = "toolgate";
