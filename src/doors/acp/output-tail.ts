/** The end of what a command printed, of so many bytes. */
export class OutputTail {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  push(text: string): void {
    const bytes = Buffer.from(text);
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    // Not with each piece: what is short-lived is copied once in a while.
    if (this.#bytes > 2 * this.#bytesMax + CHUNK) this.#cut();
  }

  get truncated(): boolean {
    this.#cut();
    return this.#isCut;
  }

  /** Cut at its beginning, and no character in halves. */
  get text(): string {
    this.#cut();
    const whole = Buffer.concat(this.#parts);
    let start = 0;
    while (this.#isCut && start < whole.length && ((whole[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return whole.toString("utf8", start);
  }

  #cut(): void {
    if (this.#bytes <= this.#bytesMax) return;
    const whole = Buffer.concat(this.#parts);
    const end = Buffer.from(whole.subarray(whole.length - this.#bytesMax));
    this.#parts = [end];
    this.#bytes = end.length;
    this.#isCut = true;
  }
}

const CHUNK = 64 * 1024;
