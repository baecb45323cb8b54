import { closeSync, constants, openSync } from "node:fs";

/** `man 2 open`; Node does not export it. Such a descriptor names a file, and nothing is opened for data. */
const O_PATH = 0o10000000;
const NODE = O_PATH | constants.O_NOFOLLOW;
const DIRECTORY = NODE | constants.O_DIRECTORY;

/**
 * Stands in one directory and holds it open, so that nobody can swap what later steps start from. Node has no
 * `openat`; `/proc/self/fd/<held>/<name>` is the same thing, provided that `name` is a single name.
 *
 * Calls are synchronous: each takes about two microseconds, a trip to the thread pool takes twenty.
 */
export class Cursor implements Disposable {
  #fd = openSync("/", DIRECTORY);
  readonly #names: string[] = [];

  /** The directory's path by the names that led here. No link is among them. */
  get path(): string {
    return `/${this.#names.join("/")}`;
  }

  /** The held directory itself, for calls that take a path. */
  get here(): string {
    return `/proc/self/fd/${this.#fd}`;
  }

  /** `name` in the held directory, for calls that take a path. */
  at(name: string): string {
    if (!isName(name)) throw new TypeError("a cursor takes one name at a time");
    return `${this.here}/${name}`;
  }

  /** Goes into the directory `name`; throws `ENOTDIR` for a link. */
  enter(name: string): void {
    this.#move(this.at(name));
    this.#names.push(name);
  }

  /** Goes to the parent as the kernel sees it. The parent of `/` is `/`. */
  leave(): void {
    this.#move(`${this.here}/..`);
    this.#names.pop();
  }

  goToRoot(): void {
    this.#move("/");
    this.#names.length = 0;
  }

  /** Holds `name` without opening it for data: a pipe does not wait, a device does not notice. */
  hold(name: string): Held {
    const fd = openSync(this.at(name), NODE);
    return { fd, path: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #move(path: string): void {
    const next = openSync(path, DIRECTORY);
    closeSync(this.#fd);
    this.#fd = next;
  }
}

export interface Held extends Disposable {
  readonly fd: number;
  readonly path: string;
}

export const isName = (name: string): boolean => name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
