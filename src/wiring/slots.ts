/** Gives a place back. */
export type Release = () => void;

/** So many at a time, so many in the queue, and no more. */
export class Slots {
  readonly #slotsMax: number;
  readonly #queueMax: number;
  #taken = 0;
  #queue: (() => void)[] = [];

  constructor({ slotsMax, queueMax }: { readonly slotsMax: number; readonly queueMax: number }) {
    this.#slotsMax = slotsMax;
    this.#queueMax = queueMax;
  }

  get taken(): number {
    return this.#taken;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Null: the queue is full too. `always` waits however long the queue is. */
  async take(queue: "bounded" | "always" = "bounded"): Promise<Release | null> {
    if (this.#taken < this.#slotsMax) this.#taken++;
    else {
      if (queue === "bounded" && this.#queue.length >= this.#queueMax) return null;
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  /** A place goes on to who waits longest. */
  #release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#taken--;
  }
}
