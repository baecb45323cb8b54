/** Gives a place back. */
export type Release = () => void;

interface Waiting {
  /** Null: what was approved already, which nobody's share counts and which goes first. */
  readonly owner: string | null;
  readonly start: () => void;
}

/** Of the places and of the queue, how much one owner can have: somebody else always gets in. */
const PLACES_SHARE = 0.75;
const QUEUE_SHARE = 0.5;

/** So many at a time, so many in the queue, and no more; and of both no more than a share for one owner. */
export class Slots {
  readonly #slotsMax: number;
  readonly #queueMax: number;
  readonly #taken = new Map<string | null, number>();
  #queue: Waiting[] = [];

  constructor({ slotsMax, queueMax }: { readonly slotsMax: number; readonly queueMax: number }) {
    this.#slotsMax = slotsMax;
    this.#queueMax = queueMax;
  }

  get taken(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0);
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Null: the queue is full too, or this owner has its share of it. */
  async take(owner: string): Promise<Release | null> {
    if (!this.#hasPlaceFor(owner)) {
      const own = this.#queue.filter((one) => one.owner === owner).length;
      if (this.#queue.length >= this.#queueMax || own >= Math.ceil(this.#queueMax * QUEUE_SHARE)) return null;
    }
    return await this.#turn(owner);
  }

  /** For what was approved: it waits however long the queue is, before whatever was not. */
  async takeApproved(): Promise<Release> {
    return await this.#turn(null);
  }

  /** Null: it would have to wait. */
  takeApprovedNow(): Release | null {
    if (!this.#hasPlaceFor(null)) return null;
    this.#enter(null);
    return this.#releaseOf(null);
  }

  async #turn(owner: string | null): Promise<Release> {
    if (this.#hasPlaceFor(owner)) this.#enter(owner);
    else await new Promise<void>((resolve) => this.#wait({ owner, start: resolve }));
    return this.#releaseOf(owner);
  }

  #releaseOf(owner: string | null): Release {
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(owner);
      isHeld = false;
    };
  }

  #wait(one: Waiting): void {
    const firstOther = one.owner === null ? this.#queue.findIndex(({ owner }) => owner !== null) : -1;
    this.#queue.splice(firstOther === -1 ? this.#queue.length : firstOther, 0, one);
  }

  #hasPlaceFor(owner: string | null): boolean {
    if (this.taken >= this.#slotsMax) return false;
    return owner === null || (this.#taken.get(owner) ?? 0) < Math.ceil(this.#slotsMax * PLACES_SHARE);
  }

  #enter(owner: string | null): void {
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1);
  }

  /** A place goes on to who waits longest of those who may have one. */
  #release(owner: string | null): void {
    const left = (this.#taken.get(owner) ?? 0) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
    const next = this.#queue.findIndex((one) => this.#hasPlaceFor(one.owner));
    const [one] = next === -1 ? [] : this.#queue.splice(next, 1);
    if (one === undefined) return;
    this.#enter(one.owner);
    one.start();
  }
}
