import { Buffer } from "node:buffer";

/** So much may wait to be written before who prints has to wait too. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** Keeps content; null = it could not be kept. */
export type Keep = (content: AsyncIterable<Uint8Array>) => Promise<string | null>;

/**
 * All that a program prints, without secrets and in the order in which it comes. It is written from the moment on when it
 * is more than what is shown; until then it is no more than that, so memory does not grow with it.
 */
export class WholeOutput implements Disposable {
  readonly #keep: Keep;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #isEnded = false;
  #isGivenUp = false;
  #kept: Promise<string | null> | null = null;
  #changed = Promise.withResolvers<void>();

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(part: Uint8Array): void {
    this.#bytes += part.length;
    if (part.length === 0 || this.#isGivenUp) return;
    // Copied: what comes in is a part of a larger buffer that must not be held.
    this.#waiting.push(Buffer.from(part));
    this.#waitingBytes += part.length;
    if (this.#kept !== null) this.#tell();
  }

  /** Not all of it is shown, so it is kept. */
  begin(): void {
    // Also where it ends before it has asked for the first part: a folder that can't be made, a disk that is full.
    this.#kept ??= this.#keep(this.#parts()).finally(() => this.#giveUp());
  }

  get isBehind(): boolean {
    return this.#kept !== null && this.#waitingBytes > WAITING_BYTES_MAX;
  }

  /** Until who writes has come along. */
  async ready(): Promise<void> {
    while (this.isBehind) await this.#changed.promise;
  }

  /** Nothing more comes. Null: all of it is shown, or it could not be kept. */
  async end(): Promise<string | null> {
    this[Symbol.dispose]();
    return await this.#kept;
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#tell();
  }

  async *#parts(): AsyncGenerator<Uint8Array, void, void> {
    try {
      while (!this.#isEnded || this.#waiting.length > 0) {
        const parts = this.#waiting;
        this.#waiting = [];
        this.#waitingBytes = 0;
        this.#tell();
        if (parts.length > 0) yield Buffer.concat(parts);
        else await this.#changed.promise;
      }
    } finally {
      this.#giveUp();
    }
  }

  /** Where it was too much, or the disk is full: who prints is not held up by it. */
  #giveUp(): void {
    this.#isGivenUp = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
