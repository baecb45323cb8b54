import type { ChildProcess, SpawnOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import { bytesFromName } from "../domain/byte-names.ts";
import type { SandboxCommand } from "../ports/sandbox.ts";
import { type Bounds, boundsFor } from "./bounds.ts";
import { launchArguments, sandboxOptions } from "./bubblewrap-arguments.ts";
import { childProcess } from "./child-process.ts";
import { type Machine, OWN_HOSTS } from "./machine.ts";
import { type NamelessFile, openContent } from "./nameless-file.ts";
import { openPipe, type Pipe } from "./pipes.ts";
import { DEVICES_OPEN, NOT_A_PATH, NotStartable, NUL_INSIDE } from "./sandbox-faults.ts";
import { withoutStrays } from "./stray-descriptors.ts";
import type { Turns } from "./turns.ts";

/**
 * A bubblewrap process, which waits until `begin`. INVARIANT (no program without its filter): what lets it go on is the
 * system call filter. If the gate is killed before, the filter is empty, the kernel does not take it, and bubblewrap ends.
 */
export interface Bubblewrap {
  readonly pid: number;
  /** Null: the program has no input. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What bubblewrap reports: one JSON object on each line. */
  readonly status: Readable;
  readonly bounds: Bounds;
  /** A folder in the sandbox that is there once all mounts are. */
  readonly readyFolder: string;
  /** Lets the program begin. */
  readonly begin: () => void;
  /** It has ended and nothing can be read any more. */
  readonly gone: Promise<"by itself" | "by a signal">;
  /** Call it when the sandbox is empty. */
  readonly release: () => void;
}

/** bash reads a pipe byte by byte and a file in blocks. A short text is not worth a file. */
const PIPE_CHARS_MAX = 2048;

interface Started {
  readonly turns: Turns;
  /** Asked once more before anything is started. */
  readonly isWanted: () => boolean;
}

/** Throws what the operating system says, or `NotStartable`. Null: the caller does not want it any more. */
export async function startBubblewrap(
  command: SandboxCommand,
  machine: Machine,
  { turns, isWanted }: Started,
): Promise<Bubblewrap | null> {
  const id = randomBytes(8).toString("hex");
  const readyFolder = `/.toolgate-${id}`;
  const options = sandboxOptions(command, machine.system, readyFolder);
  // INVARIANT (one word, one option): a NUL would end a word in the middle.
  if ([...options, ...command.argv].some((word) => word.includes("\0"))) throw new NotStartable(NUL_INSIDE);
  // bubblewrap would look for a program without a folder on the PATH.
  if (!command.argv[0].includes("/")) throw new NotStartable(NOT_A_PATH);
  const devices = machine.user.kind === "root" ? await machine.devices() : null;
  if (machine.user.kind === "root" && devices === null) throw new NotStartable(DEVICES_OPEN);
  await turns.next();
  if (!isWanted()) return null;
  using undo = new DisposableStack();
  const bounds = boundsFor(command.limits, boundsMachine(machine), id);
  undo.defer(bounds.release);
  // Closed whatever happens: what the child needs, it has by then.
  using given = new DisposableStack();
  const pipe = (): Pipe => undo.adopt(openPipe(machine.programs.mkfifo), (one) => one.recycle());
  const pipes = { stdout: pipe(), stderr: pipe(), status: pipe(), options: pipe(), filter: pipe() };
  const stdin = stdinFor(command.stdin, pipe, devices?.nothing, given);
  const argv = withoutStrays(machine.strays, launchArguments(command, machine.programs, bounds.memory));
  const child = await spawned([...(devices?.enter ?? []), ...argv], bounds, {
    // An empty environment for bubblewrap as well: the program can read it.
    env: {},
    cwd: "/",
    stdio: [
      stdin.fd,
      ...[pipes.stdout, pipes.stderr, pipes.status].map((one) => one.end("write")),
      ...[pipes.options, pipes.filter].map((one) => one.end("read")),
      ...filesFor(command, machine, given),
    ],
    ...(machine.user.kind === "switched" && { uid: machine.user.uid, gid: machine.user.gid }),
  });
  undo.move();
  const hasSocket = [command.proxySocket, command.callSocket, command.unixSockets].some((one) => one !== undefined);
  const filter = machine.filters[hasSocket ? "withSockets" : "withoutSockets"];
  return followed(child, {
    bounds,
    pipes,
    stdin: stdin.pipe,
    options: bytesFromName(options.join("\0")),
    filter,
    readyFolder,
  });
}

const boundsMachine = ({ cgroups, programs, user }: Machine) => ({
  ...{ cgroups, prlimit: programs.prlimit },
  somebody: user.kind === "switched" ? user : undefined,
  isRoot: user.kind === "root",
});

/** The program's input: a file if it is long, `/dev/null` if there is none. */
function stdinFor(
  stdin: SandboxCommand["stdin"],
  makePipe: () => Pipe,
  nothing: number | undefined,
  given: DisposableStack,
): { readonly fd: number | "ignore"; readonly pipe: Pipe | null } {
  if (stdin === undefined) return { fd: nothing ?? "ignore", pipe: null };
  const isLong = !isOpen(stdin) && stdin.length > PIPE_CHARS_MAX;
  if (isLong) return { fd: given.use(openContent(stdin)).fd, pipe: null };
  const pipe = makePipe();
  return { fd: pipe.end("read"), pipe };
}

const isOpen = (stdin: string | Uint8Array | { readonly kind: "open" }): stdin is { readonly kind: "open" } =>
  typeof stdin === "object" && "kind" in stdin;

/** Descriptors of files, from the accounts on. */
function filesFor(
  { proxySocket, callSocket, view, hosts = {} }: SandboxCommand,
  { files, user }: Machine,
  given: DisposableStack,
): readonly number[] {
  const opened = (file: NamelessFile): number => given.use(file.opened()).fd;
  for (const socket of [proxySocket, callSocket])
    if (socket !== undefined && user.kind === "switched") {
      // Others may pass the folder, but not open the socket.
      chmodSync(dirname(socket), 0o711);
      chownSync(socket, user.uid, user.gid);
    }
  if (view !== "system") return [];
  const more = Object.entries(hosts).map(([host, address]) => `${address} ${host}\n`);
  const named = more.length === 0 ? opened(files.hosts) : given.use(openContent(OWN_HOSTS + more.join(""))).fd;
  return [opened(files.accounts), opened(files.groups), named, opened(files.git)];
}

/** Waits until the kernel has started it. */
async function spawned(
  [program, ...args]: readonly [string, ...string[]] | readonly string[],
  bounds: Bounds,
  options: SpawnOptions,
): Promise<ChildProcess> {
  const child = bounds.start(() => childProcess().spawn(program ?? "", args, options));
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", resolve);
  });
  return child;
}

interface Parts {
  readonly bounds: Bounds;
  readonly pipes: Readonly<Record<"stdout" | "stderr" | "status" | "options" | "filter", Pipe>>;
  readonly stdin: Pipe | null;
  readonly options: Uint8Array;
  readonly filter: Uint8Array;
  readonly readyFolder: string;
}

function followed(child: ChildProcess, { bounds, pipes, stdin, options, filter, readyFolder }: Parts): Bubblewrap {
  const exited = new Promise<"by itself" | "by a signal">((resolve) =>
    child.once("exit", (_, killedBy) => resolve(killedBy === null ? "by itself" : "by a signal")),
  );
  const read = (pipe: Pipe): Readable => {
    pipe.close("write");
    return pipe.reader();
  };
  const write = (pipe: Pipe): Writable => {
    pipe.close("read");
    return pipe.writer();
  };
  const [stdout, stderr, status] = [read(pipes.stdout), read(pipes.stderr), read(pipes.status)];
  const input = stdin === null ? null : write(stdin);
  const told = write(pipes.options).end(options);
  pipes.filter.close("read");
  const closed = (stream: Readable): Promise<void> => new Promise((resolve) => stream.once("close", () => resolve()));
  return {
    pid: child.pid ?? 0,
    stdin: input,
    ...{ stdout, stderr, status, bounds, readyFolder },
    begin: () => {
      try {
        writeSync(pipes.filter.end("write"), filter); // whole: a pipe has room for far more
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error; // it has ended
      }
      pipes.filter.close("write");
    },
    gone: Promise.all([exited, ...[stdout, stderr, status].map(closed)]).then(([how]) => how),
    release: () => {
      input?.destroy();
      told.destroy();
      for (const one of [pipes.status, pipes.options, pipes.filter]) one.recycle();
      for (const one of [pipes.stdout, pipes.stderr, ...(stdin === null ? [] : [stdin])]) one.discard();
    },
  };
}
