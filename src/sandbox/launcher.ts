import { randomBytes } from "node:crypto";
import type { SandboxCommand } from "../ports/sandbox.ts";
import { boundsFor } from "./bounds.ts";
import { inherited, launchArguments, STARTER, sandboxed, sandboxOptions } from "./bubblewrap-arguments.ts";
import type { Bounds } from "./launch.ts";
import { type Machine, OWN_HOSTS } from "./launch-machine.ts";
import type { Launched, LaunchOrder } from "./launched.ts";
import { launchedByNode } from "./launched-by-node.ts";
import { launchedBySpawner } from "./launched-by-spawner.ts";
import { type NamelessFile, openContent } from "./nameless-file.ts";
import { NulInside } from "./sandbox-faults.ts";
import { reservedDescriptors, spareDescriptors } from "./spare-descriptors.ts";
import type { Spawner } from "./spawner.ts";
import { DESCRIPTORS_NEEDED } from "./start-list.ts";
import { withoutStrays } from "./stray-descriptors.ts";
import type { Turns } from "./turns.ts";

/** A bubblewrap process that was started. Its program waits until it is told to begin. */
export interface Launcher {
  readonly child: Launched;
  readonly bounds: Bounds;
  /** In the sandbox: there once all mounts are. */
  readonly readyFolder: string;
}

/** What bash reads from a pipe it reads byte by byte; from a file, in blocks. A short text is not worth one. */
const PIPE_CHARS_MAX = 2048;

/** Whether what it reads is short enough to be written to a pipe, whenever it is known. */
export const isShortInput = (stdin: SandboxCommand["stdin"]): boolean =>
  (typeof stdin === "string" || stdin instanceof Uint8Array) && stdin.length <= PIPE_CHARS_MAX;

const isLongInput = (stdin: SandboxCommand["stdin"]): stdin is string | Uint8Array =>
  (typeof stdin === "string" || stdin instanceof Uint8Array) && stdin.length > PIPE_CHARS_MAX;

interface LauncherOptions {
  /** `ahead`: without a program; the starter waits for its words instead, and is there where this machine has one. */
  readonly when: "now" | "ahead";
  readonly turns: Turns;
  /** Asked once more before anything is started. */
  readonly isWanted: () => boolean;
}

/** Throws what the operating system says. Null: nobody wanted it any more. */
export async function startLauncher(
  command: SandboxCommand,
  machine: Machine,
  { when, turns, isWanted }: LauncherOptions,
): Promise<Launcher | null> {
  const id = randomBytes(8).toString("hex");
  const readyFolder = `/.toolgate-${id}`;
  const argv = argvOf(command, machine, when);
  const starter = argv[0] !== STARTER ? "none" : when === "ahead" ? "waits" : "is told";
  const becomes = starter === "none" ? "by itself" : "by the starter";
  const told = sandboxOptions(command, machine.system, readyFolder, becomes);
  // INVARIANT (one word, one option): what ends a word there can't be part of one.
  if ([...told, ...argv].some((word) => word.includes("\0"))) throw new NulInside();
  const spawner = await machine.spawner();
  if (spawner === null) await turns.next();
  if (!isWanted()) return null;
  using stack = new DisposableStack();
  const bounds = boundsFor(command.limits, machine, id, spawner);
  stack.defer(bounds.release);
  using opened = new DisposableStack();
  const { stdin } = command;
  const stdinFile = isLongInput(stdin) ? opened.use(openContent(stdin)).fd : null;
  const order: LaunchOrder = {
    argv: sandboxed({ argv }, machine.bwrap),
    limits: inherited(command),
    options: told.join("\0"),
    stdin: stdinFile ?? (stdin === undefined ? "nothing" : "pipe"),
    files: filesFor(command, machine, starter, spawner, opened),
    starter,
    somebody: machine.somebody,
  };
  if (spawner !== null) {
    const reserved = opened.use(reservedDescriptors(DESCRIPTORS_NEEDED, machine.descriptorsMax));
    const more = { entries: bounds.entries(), reserved };
    const child = await launchedBySpawner(spawner, order, more);
    stack.move();
    return { child, bounds, readyFolder };
  }
  spareDescriptors(order.files[0] ?? 0, machine.descriptorsMax);
  const line = withoutStrays(machine.strays, machine.bash, launchArguments({ ...command, argv }, machine));
  const child = await launchedByNode(line, order, bounds.start);
  stack.move();
  return { child, bounds, readyFolder };
}

/**
 * The kernel says whether a program can be started: bubblewrap would look for one by its name, hand what the kernel does
 * not take to a shell that nobody has judged, and say of the rest what looks like the program's own words.
 */
function argvOf({ argv, view }: SandboxCommand, { files }: Machine, when: "now" | "ahead"): SandboxCommand["argv"] {
  if (when === "ahead") return [STARTER];
  return files.starter !== null && view === "system" && argv[0].includes("/") ? [STARTER, ...argv] : argv;
}

/** What it is given by descriptor, from the filter on. */
function filesFor(
  { proxySocket, callSocket, view, hosts = {} }: SandboxCommand,
  { files }: Machine,
  starts: LaunchOrder["starter"],
  spawner: Spawner | null,
  opened: DisposableStack,
): readonly number[] {
  // The spawner opens it anew; who is given it by this process gets it as it is, and reads it to its end.
  const given = (file: NamelessFile): number => (spawner === null ? opened.use(file.opened()).fd : file.fd);
  const filter = given(proxySocket === undefined && callSocket === undefined ? files.closed : files.withProxy);
  if (view !== "system") return [filter];
  const more = Object.entries(hosts).map(([host, address]) => `${address} ${host}\n`);
  const named = more.length === 0 ? given(files.hosts) : opened.use(openContent(OWN_HOSTS + more.join(""))).fd;
  const starter = starts !== "none" && files.starter !== null ? [given(files.starter)] : [];
  return [filter, given(files.accounts), given(files.groups), named, given(files.git), ...starter];
}
