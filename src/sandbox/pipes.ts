import { chmodSync, closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childProcess } from "./child-process.ts";

/*
 * Pipes for programs. Node gives its children pairs of sockets, and a socket can't be opened as `/dev/stdout`. Node can't
 * make a pipe, but it can open a named one: `mkfifo` makes several, and their names are removed at once.
 */

const MADE_AT_ONCE = 32;
const IDLE_MAX = 96;

/** `man 2 open`; Node does not export it. Such a descriptor can't read or write, and is no end of the pipe. */
const O_PATH = 0o10000000;
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Both ends of a pipe that no other process has. Disposing it closes the ends that are still open. */
export class Pipe {
  readonly #place: number;
  readonly #ends: { read: number | null; write: number | null };

  constructor(place: number, ends: { readonly read: number; readonly write: number }) {
    this.#place = place;
    this.#ends = { ...ends };
  }

  end(which: "read" | "write"): number {
    const fd = this.#ends[which];
    if (fd === null) throw new Error(`the ${which} end of the pipe is closed or given away`);
    return fd;
  }

  /** The stream closes this end from now on. Node's stream for pipes is called a socket; no network is involved. */
  reader(): Socket {
    return new Socket({ fd: this.#giveAway("read"), readable: true, writable: false });
  }

  /** Errors are ignored: who writes to a process that has ended learns of it by that end. */
  writer(): Socket {
    return new Socket({ fd: this.#giveAway("write"), readable: false, writable: true }).on("error", () => {});
  }

  #giveAway(which: "read" | "write"): number {
    const fd = this.end(which);
    this.#ends[which] = null;
    return fd;
  }

  close(which: "read" | "write"): void {
    const fd = this.#ends[which];
    this.#ends[which] = null;
    if (fd !== null) closeSync(fd);
  }

  /** For the next program. Only for a pipe that no program had: see `discard`. */
  recycle(): void {
    this.close("read");
    this.close("write");
    if (idle.length < IDLE_MAX) idle.push(this.#place);
    else closeSync(this.#place);
  }

  /**
   * INVARIANT (one pipe, one program): what a program had as a descriptor is never used again. By a unix socket it may have
   * handed on a descriptor of the kind `O_PATH`, which opens the pipe later, and which nothing here can see.
   */
  discard(): void {
    this.close("read");
    this.close("write");
    closeSync(this.#place);
  }
}

/** Places of pipes that no program had, for as long as this process lives. */
const idle: number[] = [];

/** Throws what the operating system says. `mkfifo`: the program of that name. */
export function openPipe(mkfifo: string): Pipe {
  for (;;) {
    const place = idle.pop() ?? makePlaces(mkfifo);
    try {
      const ends = openEnds(place);
      if (ends !== null) return new Pipe(place, ends);
      closeSync(place);
    } catch (error) {
      idle.push(place);
      throw error;
    }
  }
}

/** Makes several and returns one of them. */
function makePlaces(mkfifo: string): number {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-"));
  try {
    const paths = Array.from({ length: MADE_AT_ONCE }, (_, index) => join(folder, String(index)));
    const { error, status } = childProcess().spawnSync(mkfifo, ["--", ...paths], {
      env: {},
      cwd: "/",
      stdio: "ignore",
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw Object.assign(new Error("mkfifo failed"), { code: "ENOSPC" });
    const [first, ...others] = openPlaces(paths);
    idle.push(...others);
    return first;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openPlaces(paths: readonly string[]): readonly [number, ...number[]] {
  using opened = new DisposableStack();
  const places = paths.map((path) => opened.adopt(openSync(path, O_PATH), closeSync));
  opened.move();
  return places as [number, ...number[]];
}

/**
 * INVARIANT (one pipe, one program): null if another process has an end of it still. A program owns its pipes, so their
 * mode is set again: it may have left one that nobody can open.
 */
function openEnds(place: number): { readonly read: number; readonly write: number } | null {
  const path = `/proc/self/fd/${place}`;
  chmodSync(path, 0o666);
  if (hasReader(path)) return null;
  using opened = new DisposableStack();
  // Opening one end waits for the other. This one does not, and is there when the others are opened.
  const first = openSync(path, O_RDONLY | O_NONBLOCK);
  opened.defer(() => closeSync(first));
  if (hasWriter(first)) return null;
  const write = openSync(path, O_WRONLY);
  try {
    return { write, read: openSync(path, O_RDONLY) };
  } catch (error) {
    closeSync(write);
    throw error;
  }
}

function hasReader(path: string): boolean {
  try {
    closeSync(openSync(path, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENXIO") return false;
    throw error;
  }
}

/** Nothing to read is an error while there is a writer, and the end of the file if there is none. */
function hasWriter(reader: number): boolean {
  try {
    return readSync(reader, new Uint8Array(1)) !== 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return true;
    throw error;
  }
}
