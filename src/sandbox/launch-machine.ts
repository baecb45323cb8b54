import type { GitIdentity } from "../domain/git-identity.ts";
import type { SandboxFault } from "../ports/sandbox.ts";
import { ACCOUNT, HOME } from "./bubblewrap-arguments.ts";
import { type CgroupPlaces, sweepCgroups } from "./cgroups.ts";
import { findCgroups } from "./find-cgroups.ts";
import { findProgram, type ProgramPlaces } from "./find-program.ts";
import type { Somebody } from "./launched.ts";
import { type NamelessFile, namelessFile } from "./nameless-file.ts";
import { type LaunchedAs, missingProgram } from "./sandbox-faults.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { descriptorsMax } from "./spare-descriptors.ts";
import { residentSpawner, type Spawner } from "./spawner.ts";
import { starterFor } from "./starter.ts";
import { strayDescriptors } from "./stray-descriptors.ts";
import { architectureOf } from "./syscalls.ts";
import { type SystemView, systemView } from "./system-view.ts";

export interface BubblewrapOptions extends ProgramPlaces {
  /** Of the gate's user. */
  readonly home?: string | null;
  /** Left out = git has to be told by each repository. */
  readonly gitIdentity?: () => GitIdentity | null;
  /** Left out = those of this machine, if it has any that can be used. */
  readonly cgroups?: CgroupPlaces;
  /** Whether sandboxes are set up before they are needed. Whoever says so closes it. */
  readonly isAhead?: boolean;
  /** What starts programs. Left out = the spawner where there is one, else this process. */
  readonly startedBy?: "this process";
}

/** Who runs programs where root must not: the user that owns nothing. */
const NOBODY: Somebody = { uid: 65_534, gid: 65_534 };

/** What every start needs, found out once, when first needed. */
export interface Machine {
  readonly bwrap: string;
  readonly prlimit: string;
  readonly bash: string;
  readonly cgroups: CgroupPlaces;
  readonly launchedAs: LaunchedAs;
  readonly somebody: Somebody | undefined;
  readonly system: SystemView;
  readonly files: Readonly<Record<"closed" | "withProxy" | "accounts" | "groups" | "hosts" | "git", NamelessFile>> & {
    /** Null: bubblewrap becomes the program itself. */
    readonly starter: NamelessFile | null;
  };
  /** Whether sandboxes are set up before they are needed. */
  readonly isAhead: boolean;
  readonly strays: readonly number[];
  /** Null: this process starts programs itself. */
  readonly spawner: () => Promise<Spawner | null>;
  readonly descriptorsMax: number;
}

/** Throws what the operating system says where what launchers are given can't be kept in temporary files. */
export function lookAround(options: BubblewrapOptions): Machine | SandboxFault {
  const bwrap = findProgram("bwrap", options);
  if (bwrap.kind !== "found") return missingProgram("bwrap", "bubblewrap", bwrap);
  const prlimit = findProgram("prlimit", options);
  if (prlimit.kind !== "found") return missingProgram("prlimit", "util-linux", prlimit);
  const architecture = architectureOf(process.arch);
  if (architecture === null) return NO_FILTER;
  const isRoot = process.getuid?.() === 0;
  const cgroups = options.cgroups ?? findCgroups();
  sweepCgroups(cgroups);
  const launchedAs = isRoot ? (cgroups.pids === null ? "switched" : "root") : "same";
  const somebody = launchedAs === "switched" ? NOBODY : undefined;
  const { uid, gid } = somebody ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const { searchPath, workspace, home = null } = options;
  const strays = strayDescriptors();
  const starter = starterFor(process.arch);
  return {
    bwrap: bwrap.path,
    prlimit: prlimit.path,
    bash: "/bin/bash",
    cgroups,
    launchedAs,
    somebody,
    system: systemView({ searchPath, workspace, home, readBy: launchedAs === "switched" ? "anybody" : "self" }),
    files: {
      closed: namelessFile(seccompFilter(architecture, { unixSockets: "denied" })),
      withProxy: namelessFile(seccompFilter(architecture, { unixSockets: "allowed" })),
      accounts: namelessFile(`${ACCOUNT}:x:${uid}:${gid}:Toolgate:${HOME}:/bin/sh\n`),
      groups: namelessFile(`${ACCOUNT}:x:${gid}:\n`),
      hosts: namelessFile(OWN_HOSTS),
      git: namelessFile(gitSettings(options.gitIdentity?.() ?? null)),
      starter: starter === null ? null : namelessFile(starter),
    },
    isAhead: options.isAhead === true,
    strays,
    spawner: options.startedBy === "this process" ? async () => null : residentSpawner,
    descriptorsMax: descriptorsMax(),
  };
}

/**
 * What git obeys whatever its environment is. A folder with `HEAD`, `objects` and `refs` is a repository to it, and whoever may
 * write three harmless files could give it a `config` that starts programs; one that is named with `--git-dir` is still taken.
 */
const gitSettings = (identity: GitIdentity | null): string =>
  `[safe]\n\tbareRepository = explicit\n${
    identity === null ? "" : `[user]\n\tname = ${quoted(identity.name)}\n\temail = ${quoted(identity.email)}\n`
  }`;

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, "\\$&")}"`;

export const OWN_HOSTS = "127.0.0.1 localhost toolgate\n::1 localhost\n";

const NO_FILTER: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "there is no table of system calls for this processor, so programs can't be held in",
  hint: "use a machine with an x64 or arm64 processor",
};

export const unprepared = (error: unknown): SandboxFault => ({
  code: "SANDBOX_UNAVAILABLE",
  message: `what sandboxes are told can't be kept in temporary files (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
  hint: "make room in the folder for temporary files, or let `TMPDIR` name one that can be written",
});
