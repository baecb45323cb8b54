import { CALL_SOCKET, type Mount, PROXY_SOCKET, type SandboxCommand } from "../ports/sandbox.ts";
import type { RLimit } from "./rlimit.ts";
import type { SystemView } from "./system-view.ts";

/** Where the launcher finds what it is given. It gets no other descriptor, and its program gets none of them. */
export const LAUNCH_FDS = {
  ...{ status: 3, start: 4, options: 5, filter: 6, accounts: 7, groups: 8, hosts: 9, git: 10 },
  /** Of one whose program the starter becomes; the last only where that is told later. */
  ...{ starter: 11, said: 12, words: 13 },
} as const;

/** What becomes the program: that which it is given, or, without any, the one that it is told later. */
export const STARTER = "/.toolgate-starter";

/** What the command line needs to know of the machine. */
export interface Launchers {
  readonly bwrap: string;
  readonly prlimit: string;
}

/** Where a program has its own home: a name that no folder of the machine has. */
export const HOME = "/.home";

/** The files of `/etc` that the launcher itself writes, which has the same limits. */
const ETC_BYTES = 4096;
const PRIVATE_BYTES = 1024 * 1024 * 1024;

/** The limits that everything below inherits. */
export const inherited = ({ limits, view }: SandboxCommand): readonly RLimit[] => {
  const fileBytes = Math.max(limits.fileBytes ?? 0, view === "system" ? ETC_BYTES : 0);
  return [
    ["core", 0, 0],
    ["fsize", fileBytes, fileBytes],
    ["nofile", limits.openFiles, limits.openFiles],
    ["data", limits.memoryBytes, limits.memoryBytes],
    // The first says SIGXCPU, by which it is known; the second kills whoever does not listen.
    ...(limits.cpuSeconds === undefined ? [] : [["cpu", limits.cpuSeconds, limits.cpuSeconds + 1] as const]),
  ];
};

/** bubblewrap with its program. */
export const sandboxed = ({ argv }: Pick<SandboxCommand, "argv">, bwrap: string): readonly [string, ...string[]] => [
  bwrap,
  ...["--args", String(LAUNCH_FDS.options)],
  "--",
  ...argv,
];

/** The whole command line: limits, then the sandbox, then the program. */
export const launchArguments = (
  command: SandboxCommand,
  { bwrap, prlimit }: Launchers,
): readonly [string, ...string[]] => [...limitedBy(prlimit, inherited(command)), ...sandboxed(command, bwrap)];

const limitedBy = (prlimit: string, limits: readonly RLimit[]): readonly [string, ...string[]] => [
  prlimit,
  ...limits.map(([name, soft, hard]) => `--${name}=${soft === hard ? soft : `${soft}:${hard}`}`),
];

/**
 * What bubblewrap is told through a pipe, where no other user can read it. The program waits until something is written
 * to the start pipe; `readyFolder` is there once all mounts are.
 */
export const sandboxOptions = (
  command: SandboxCommand,
  system: SystemView,
  readyFolder: string,
  becomes: "by itself" | "by the starter" = "by itself",
): readonly string[] => [
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
  ...(becomes === "by the starter" ? ["--perms", "0555", "--file", String(LAUNCH_FDS.starter), STARTER] : []),
  ...["--dir", readyFolder],
  ...(command.ownFolder === undefined ? [] : ["--perms", "0700", "--dir", command.ownFolder]),
  ...["--remount-ro", "/"],
  ...["--chdir", startFolder(command)],
];

/** Where the program begins. */
export const startFolder = ({ ownFolder, cwd }: SandboxCommand): string => ownFolder ?? cwd ?? "/";

function mountOptions(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "installed":
      return ["--ro-bind", mount.path, mount.at];
    case "held":
    case "kept":
      return [mount.access === "write" ? "--bind" : "--ro-bind", mount.held.path, mount.held.path];
    case "hidden":
      // Devices don't work on what is bound, so nobody can open this one.
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
  ...["--block-fd", String(LAUNCH_FDS.start)],
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
    // Whoever is root outside may write files of the kernel without any capability, and `core_pattern` alone would be a
    // way out. bubblewrap looks at the modes of some folders only.
    ...["--remount-ro", "/proc"],
    ...["--dev", "/dev"],
    // Its own folder for what programs share, as small as the others: all of `/dev` could have half of the memory.
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
    // Where a git looks that was built for another place.
    ...["--setenv", "GIT_CONFIG_SYSTEM", GIT_CONFIG],
  ];
};

const GIT_CONFIG = "/etc/gitconfig";

/** What the user is called inside. */
export const ACCOUNT = "toolgate";
