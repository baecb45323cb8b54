import type { ChildProcess, SpawnOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { SandboxCommand } from "../ports/sandbox.ts";
import { boundsFor } from "./bounds.ts";
import { LAUNCH_FDS, launchArguments, STARTER, sandboxOptions } from "./bubblewrap-arguments.ts";
import { childProcess } from "./child-process.ts";
import type { Bounds } from "./launch.ts";
import { type Machine, OWN_HOSTS } from "./launch-machine.ts";
import { openContent } from "./nameless-file.ts";
import { NulInside } from "./sandbox-faults.ts";
import { spareDescriptors } from "./spare-descriptors.ts";
import { withoutStrays } from "./stray-descriptors.ts";

/** A bubblewrap process that was started. Its program waits until it is told to begin. */
export interface Launcher {
  readonly child: ChildProcess;
  readonly bounds: Bounds;
  /** In the sandbox: there once all mounts are. */
  readonly readyFolder: string;
}

/** Without descriptors to give there are no pipes either, and its error comes later. */
export const hasPipes = (child: ChildProcess): boolean => child.stdio !== undefined;

/** What bash reads from a pipe it reads byte by byte; from a file, in blocks. A short text is not worth one. */
const PIPE_CHARS_MAX = 2048;

/** Whether what it reads is short enough to be written to a pipe, whenever it is known. */
export const isShortInput = (stdin: SandboxCommand["stdin"]): boolean =>
  (typeof stdin === "string" || stdin instanceof Uint8Array) && stdin.length <= PIPE_CHARS_MAX;

const isLongInput = (stdin: SandboxCommand["stdin"]): stdin is string | Uint8Array =>
  (typeof stdin === "string" || stdin instanceof Uint8Array) && stdin.length > PIPE_CHARS_MAX;

/**
 * Throws what the operating system says. `ahead`: without a program; the starter waits for its words instead, and is
 * there where this machine has one (`Machine.files.starter`).
 */
export function startLauncher(command: SandboxCommand, machine: Machine, when: "now" | "ahead" = "now"): Launcher {
  const id = randomBytes(8).toString("hex");
  const readyFolder = `/.toolgate-${id}`;
  const { files, strays, bash } = machine;
  const told = sandboxOptions(command, machine.system, readyFolder, when);
  // INVARIANT (one word, one option): what ends a word in that pipe can't be part of one.
  if (told.some((word) => word.includes("\0"))) throw new NulInside();
  const argv = when === "now" ? command.argv : ([STARTER] as const);
  const [program, ...args] = withoutStrays(strays, bash, launchArguments({ ...command, argv }, machine));
  using stack = new DisposableStack();
  const bounds = boundsFor(command.limits, machine, id);
  stack.defer(bounds.release);
  using opened = new DisposableStack();
  const filter = opened.use((command.proxySocket === undefined ? files.closed : files.withProxy).opened());
  const etcFds = command.view === "system" ? etcFor(command, machine, opened) : [];
  const { stdin } = command;
  const stdinFile = isLongInput(stdin) ? opened.use(openContent(stdin)).fd : null;
  const starter =
    when === "ahead" && files.starter !== null ? ["pipe" as const, opened.use(files.starter.opened()).fd] : [];
  spareDescriptors(filter.fd, machine.descriptorsMax);
  const spawnOptions: SpawnOptions = {
    // An empty environment for bubblewrap too: the program could read its launcher's.
    env: {},
    cwd: "/",
    stdio: [
      ...([stdinFile ?? (stdin === undefined ? "ignore" : "pipe"), "pipe", "pipe", "pipe", "pipe", "pipe"] as const),
      ...[filter.fd, ...etcFds, ...starter],
    ],
    ...machine.somebody,
  };
  const child = bounds.start(() => childProcess().spawn(program, args, spawnOptions));
  if (!hasPipes(child)) return { child, bounds, readyFolder };
  // Somebody may have closed the other end: its end says why.
  const options = (child.stdio as readonly unknown[])[LAUNCH_FDS.options] as NodeJS.WritableStream | null;
  options?.on("error", () => {}).end(told.join("\0"));
  stack.move();
  return { child, bounds, readyFolder };
}

function etcFor({ hosts = {} }: SandboxCommand, { files }: Machine, opened: DisposableStack): readonly number[] {
  const more = Object.entries(hosts).map(([host, address]) => `${address} ${host}\n`);
  const named = more.length === 0 ? files.hosts.opened() : openContent(OWN_HOSTS + more.join(""));
  return [files.accounts.opened(), files.groups.opened(), named].map((file) => opened.use(file).fd);
}
