import type { GitIdentity } from "../domain/git-identity.ts";
import type { SandboxFault } from "../ports/sandbox.ts";
import { ACCOUNT, HOME } from "./bubblewrap-arguments.ts";
import { type CgroupPlaces, sweepCgroups } from "./cgroups.ts";
import { type ClosedDevices, closedDevices } from "./closed-devices.ts";
import { findCgroups } from "./find-cgroups.ts";
import { findProgram, type ProgramPlaces } from "./find-program.ts";
import { type NamelessFile, namelessFile } from "./nameless-file.ts";
import { openPipe } from "./pipes.ts";
import { type ProgramUser, programUserOf } from "./program-user.ts";
import { missingProgram } from "./sandbox-faults.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { strayDescriptors } from "./stray-descriptors.ts";
import { architectureOf } from "./syscalls.ts";
import { type SystemView, systemView } from "./system-view.ts";

export interface BubblewrapOptions extends ProgramPlaces {
  /** The home of the gate's user. */
  readonly home?: string | null;
  /** Whether programs may trace other processes of their own sandbox. Left out: no. */
  readonly tracing?: "deny" | "allow";
  /** Left out: git in the sandbox knows no name and address but a repository's own. */
  readonly gitIdentity?: () => GitIdentity | null;
  /** Left out: those of this machine, if it has any that can be used. */
  readonly cgroups?: CgroupPlaces;
}

/** What every start needs. Found out once, when a program is started for the first time. */
export interface Machine {
  readonly programs: Readonly<Record<"bwrap" | "prlimit" | "mkfifo", string>>;
  readonly cgroups: CgroupPlaces;
  readonly user: ProgramUser;
  readonly system: SystemView;
  readonly files: Readonly<Record<"accounts" | "groups" | "hosts" | "git", NamelessFile>>;
  readonly filters: Readonly<Record<"withSockets" | "withoutSockets", Uint8Array>>;
  /** Descriptors that this process inherited and that no program may get. */
  readonly strays: readonly number[];
  /** Needed only where programs are root. */
  readonly devices: () => Promise<ClosedDevices | null>;
}

/** Throws what the operating system says if no temporary files can be made. */
export function lookAround(options: BubblewrapOptions): Machine | SandboxFault {
  const architecture = architectureOf(process.arch);
  if (architecture === null) return NO_FILTER;
  const user = programUserOf(options.workspace);
  const programs = findPrograms(PROGRAMS, options);
  if ("fault" in programs) return programs.fault;
  const forNamespaces = user.kind === "root" ? findPrograms(NAMESPACE_PROGRAMS, options) : null;
  if (forNamespaces !== null && "fault" in forNamespaces) return forNamespaces.fault;
  const cgroups = options.cgroups ?? findCgroups();
  sweepCgroups(cgroups);
  const { searchPath, workspace, home = null, tracing = "deny" } = options;
  openPipe(programs.mkfifo).recycle(); // so that the first ones are there
  return {
    programs,
    cgroups,
    user,
    system: systemView({ searchPath, workspace, home, readBy: user.kind === "switched" ? "anybody" : "self" }),
    files: {
      accounts: namelessFile(`${ACCOUNT}:x:${user.uid}:${user.gid}:Toolgate:${HOME}:/bin/sh\n`),
      groups: namelessFile(`${ACCOUNT}:x:${user.gid}:\n`),
      hosts: namelessFile(OWN_HOSTS),
      git: namelessFile(gitSettings(options.gitIdentity?.() ?? null)),
    },
    filters: {
      withSockets: seccompFilter(architecture, { unixSockets: "allow", tracing }),
      withoutSockets: seccompFilter(architecture, { unixSockets: "deny", tracing }),
    },
    strays: strayDescriptors(),
    devices: async () => (forNamespaces === null ? null : closedDevices(forNamespaces)),
  };
}

function findPrograms<Name extends string>(
  wanted: readonly (readonly [Name, debianPackage: string])[],
  places: ProgramPlaces,
): Readonly<Record<Name, string>> | { readonly fault: SandboxFault } {
  const paths: Partial<Record<Name, string>> = {};
  for (const [name, debianPackage] of wanted) {
    const program = findProgram(name, places);
    if (program.kind !== "found") return { fault: missingProgram(name, debianPackage, program) };
    paths[name] = program.path;
  }
  return paths as Record<Name, string>;
}

/** Each with the Debian package that has it. */
const PROGRAMS = [
  ["bwrap", "bubblewrap"],
  ["prlimit", "util-linux"],
  ["mkfifo", "coreutils"],
] as const;

const NAMESPACE_PROGRAMS = [
  ["unshare", "util-linux"],
  ["nsenter", "util-linux"],
  ["mount", "mount"],
] as const;

/**
 * Settings that git obeys whatever its environment is. To git, a folder with `HEAD`, `objects` and `refs` is a
 * repository, so a program that may write three harmless files could give it a `config` that starts programs. A
 * repository that is named with `--git-dir` is still taken.
 */
const gitSettings = (identity: GitIdentity | null): string =>
  `[safe]\n\tbareRepository = explicit\n${
    identity === null ? "" : `[user]\n\tname = ${quoted(identity.name)}\n\temail = ${quoted(identity.email)}\n`
  }`;

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, "\\$&")}"`;

export const OWN_HOSTS = "127.0.0.1 localhost toolgate\n::1 localhost\n";

const NO_FILTER: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "there is no table of system calls for this processor, so no program can be sandboxed",
  hint: "use a machine with an x64 or arm64 processor",
};

export const unprepared = (error: unknown): SandboxFault => ({
  code: "SANDBOX_UNAVAILABLE",
  message: `temporary files for the sandbox can't be made (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
  hint: "make room in the folder for temporary files, or let `TMPDIR` name one that can be written",
});
