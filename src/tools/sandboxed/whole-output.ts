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
  #isLetGo = false;
  readonly #givenUp = Promise.withResolvers<null>();
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
    if (part.length === 0 || this.#isLetGo) return;
    // Copied: what comes in is a part of a larger buffer that must not be held.
    this.#waiting.push(Buffer.from(part));
    this.#waitingBytes += part.length;
    if (this.#kept !== null) this.#tell();
  }

  /** Not all of it is shown, so it is kept. */
  begin(): void {
    this.#kept ??= this.#keep(this.#parts()).then(
      (hash) => this.#written(hash),
      () => this.#written(null),
    );
  }

  /** INVARIANT (not held up): once nobody writes any more, whatever the reason, nobody waits for it. */
  #written(hash: string | null): string | null {
    this.#letGo();
    return hash;
  }

  /** Who prints is to end now, however long who writes may take. */
  giveUp(): void {
    this.#letGo();
    this.#givenUp.resolve(null);
  }

  #letGo(): void {
    this.#isLetGo = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#tell();
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
    return await Promise.race([this.#kept, this.#givenUp.promise]);
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#tell();
  }

  async *#parts(): AsyncGenerator<Uint8Array, void, void> {
    while (!this.#isEnded || this.#waiting.length > 0) {
      const parts = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#tell();
      if (parts.length > 0) yield Buffer.concat(parts);
      else await this.#changed.promise;
      if (this.#isLetGo) throw new Error("not all of it is there any more"); // a part is not kept as the whole
    }
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
