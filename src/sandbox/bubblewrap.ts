import type { ChildProcess, SpawnOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { SandboxReport } from "../domain/sandbox-report.ts";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram, SandboxFault } from "../ports/sandbox.ts";
import { boundsFor, type Somebody } from "./bounds.ts";
import { ACCOUNT, HOME, LAUNCH_FDS, launchArguments, sandboxOptions } from "./bubblewrap-arguments.ts";
import { type CgroupPlaces, findCgroups, sweepCgroups } from "./cgroups.ts";
import { childProcess } from "./child-process.ts";
import { findProgram, type ProgramPlaces } from "./find-program.ts";
import { Launch } from "./launch.ts";
import { type NamelessFile, namelessFile, openContent } from "./nameless-file.ts";
import { inputOf } from "./program-input.ts";
import { faultFromSpawn, type LaunchedAs, missingProgram } from "./sandbox-faults.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { descriptorsMax, spareDescriptors } from "./spare-descriptors.ts";
import { strayDescriptors, withoutStrays } from "./stray-descriptors.ts";
import { architectureOf } from "./syscalls.ts";
import { type SystemView, systemView } from "./system-view.ts";

export interface BubblewrapOptions extends ProgramPlaces {
  /** Of the gate's user. */
  readonly home?: string | null;
  /** Left out = those of this machine, if it has any that can be used. */
  readonly cgroups?: CgroupPlaces;
}

/** Who runs programs where root must not: the user that owns nothing. */
const NOBODY: Somebody = { uid: 65_534, gid: 65_534 };

/** What every start needs, found out once, when first needed. */
interface Machine {
  readonly bwrap: string;
  readonly prlimit: string;
  readonly bash: string;
  readonly cgroups: CgroupPlaces;
  readonly launchedAs: LaunchedAs;
  readonly somebody: Somebody | undefined;
  readonly system: SystemView;
  readonly files: Readonly<Record<"closed" | "withProxy" | "accounts" | "groups" | "hosts", NamelessFile>>;
  readonly strays: readonly number[];
  readonly descriptorsMax: number;
}

/** Programs in namespaces of their own, by bubblewrap. */
export function openBubblewrap(options: BubblewrapOptions): Sandbox {
  let found: Machine | SandboxFault | null = null;
  const machine = (): Machine | SandboxFault => {
    found ??= lookAround(options);
    return found;
  };
  return {
    missing: () => {
      const all = machine();
      return "code" in all ? all : null;
    },
    report: () => {
      const all = machine();
      return "code" in all ? UNKNOWN : reportOf(all);
    },
    start: (command, signal) => {
      const all = machine();
      if ("code" in all) return notStarted({ kind: "refused", fault: all });
      return signal.aborted ? notStarted({ kind: "stopped" }) : started(command, all, signal);
    },
  };
}

function lookAround(options: BubblewrapOptions): Machine | SandboxFault {
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
    },
    strays: strayDescriptors(),
    descriptorsMax: descriptorsMax(),
  };
}

const OWN_HOSTS = "127.0.0.1 localhost toolgate\n::1 localhost\n";

const NUL_INSIDE: SandboxFault = {
  code: "SPAWN_FAILED",
  message: "an argument, a variable or a path holds a NUL, which no program can be given",
};

const NO_FILTER: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "there is no table of system calls for this processor, so programs can't be held in",
  hint: "use a machine with an x64 or arm64 processor",
};

/** Of a machine that starts nothing. */
const UNKNOWN: SandboxReport = {
  backend: "namespaces",
  memory: "none",
  network: "none",
  seccomp: true,
  tasks: "none",
  user: "same",
};

const reportOf = ({ cgroups, launchedAs }: Machine): SandboxReport => ({
  backend: "namespaces",
  memory: cgroups.memory === null ? "rlimit" : "cgroup",
  network: "none",
  seccomp: true,
  tasks: cgroups.pids === null ? "rlimit" : "cgroup",
  user: launchedAs,
});

const NOTHING: AsyncIterable<never> = { [Symbol.asyncIterator]: () => [].values() as never };

export const notStarted = (end: SandboxEnd): SandboxedProgram => ({
  output: NOTHING,
  chunks: NOTHING,
  ended: Promise.resolve(end),
  stop: () => {},
});

/** Without descriptors to give there are no pipes either, and its error comes later. */
export const hasPipes = (child: ChildProcess): boolean => child.stdio !== undefined;

/** A program that is about to say why it could not be started. */
export const failing = (child: ChildProcess): SandboxedProgram => ({
  ...notStarted({ kind: "stopped" }),
  ended: new Promise((resolve) =>
    child.once("error", (error) => resolve({ kind: "refused", fault: faultFromSpawn(error) })),
  ),
});

/** What bash reads from a pipe it reads byte by byte; from a file, in blocks. A short text is not worth one. */
const PIPE_CHARS_MAX = 2048;

function started(command: SandboxCommand, machine: Machine, signal: AbortSignal): SandboxedProgram {
  const id = randomBytes(8).toString("hex");
  const readyFolder = `/.toolgate-${id}`;
  const { files, strays, bash, launchedAs } = machine;
  const told = sandboxOptions(command, machine.system, readyFolder);
  // INVARIANT (one word, one option): what ends a word in that pipe can't be part of one.
  if (told.some((word) => word.includes("\0"))) return notStarted({ kind: "refused", fault: NUL_INSIDE });
  const [program, ...args] = withoutStrays(strays, bash, launchArguments(command, machine));
  try {
    using bounds = new DisposableStack();
    const bound = boundsFor(command.limits, machine, id);
    bounds.defer(bound.release);
    using filter = (command.proxySocket === undefined ? files.closed : files.withProxy).opened();
    using opened = new DisposableStack();
    const hosts = Object.entries(command.hosts ?? {}).map(([host, address]) => `${address} ${host}\n`);
    const etc = command.view === "system" ? [files.accounts, files.groups] : [];
    const etcFds = etc.map((file) => opened.use(file.opened()).fd);
    if (etc.length > 0)
      etcFds.push(opened.use(hosts.length === 0 ? files.hosts.opened() : openContent(OWN_HOSTS + hosts.join(""))).fd);
    const { stdin } = command;
    const content = typeof stdin === "string" || stdin instanceof Uint8Array ? stdin : null;
    const isLong = content !== null && content.length > PIPE_CHARS_MAX;
    const stdinFile = isLong ? opened.use(openContent(content)).fd : null;
    spareDescriptors(filter.fd, machine.descriptorsMax);
    const spawnOptions: SpawnOptions = {
      // An empty environment for bubblewrap too: the program could read its launcher's.
      env: {},
      cwd: "/",
      stdio: [
        ...([stdinFile ?? (stdin === undefined ? "ignore" : "pipe"), "pipe", "pipe", "pipe", "pipe", "pipe"] as const),
        ...[filter.fd, ...etcFds],
      ],
      ...machine.somebody,
    };
    const child = bound.start(() => childProcess().spawn(program, args, spawnOptions));
    if (!hasPipes(child)) return failing(child);
    // Somebody may have closed the other end of either: its end says why.
    const options = (child.stdio as readonly unknown[])[LAUNCH_FDS.options] as NodeJS.WritableStream | null;
    options?.on("error", () => {}).end(told.join("\0"));
    const input = inputOf(child.stdin, stdin);
    bounds.move();
    const { mounts, termGraceMs = 0 } = command;
    return new Launch({ child, mounts, readyFolder, bounds: bound, launchedAs, termGraceMs, input }, signal);
  } catch (error) {
    return notStarted({ kind: "refused", fault: faultFromSpawn(error) });
  }
}
