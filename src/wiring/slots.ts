/** Gives a place back. */
export type Release = () => void;

interface Waiting {
  readonly owner: string;
  /** It goes first, and no queue is too long for it. */
  readonly isApproved: boolean;
  readonly start: () => void;
}

/** Of the places and of the queue, how much one owner can have: somebody else always gets in. */
const PLACES_SHARE = 0.75;
const QUEUE_SHARE = 0.5;

/** So many at a time, so many in the queue, and no more; and of both no more than a share for one owner. */
export class Slots {
  readonly #slotsMax: number;
  readonly #queueMax: number;
  readonly #taken = new Map<string, number>();
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
      const own = this.#queue.filter((one) => one.owner === owner && !one.isApproved).length;
      if (this.#queue.length >= this.#queueMax || own >= Math.ceil(this.#queueMax * QUEUE_SHARE)) return null;
    }
    return await this.#turn({ owner, isApproved: false });
  }

  /** For what was approved: it waits however long the queue is, before whatever was not. Its owner's share binds it too. */
  async takeApproved(owner: string): Promise<Release> {
    return await this.#turn({ owner, isApproved: true });
  }

  /** Null: it would have to wait. */
  takeApprovedNow(owner: string): Release | null {
    if (!this.#hasPlaceFor(owner)) return null;
    this.#enter(owner);
    return this.#releaseOf(owner);
  }

  async #turn({ owner, isApproved }: Omit<Waiting, "start">): Promise<Release> {
    if (this.#hasPlaceFor(owner)) this.#enter(owner);
    else await new Promise<void>((start) => this.#wait({ owner, isApproved, start }));
    return this.#releaseOf(owner);
  }

  #releaseOf(owner: string): Release {
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(owner);
      isHeld = false;
    };
  }

  #wait(one: Waiting): void {
    const firstOther = one.isApproved ? this.#queue.findIndex(({ isApproved }) => !isApproved) : -1;
    this.#queue.splice(firstOther === -1 ? this.#queue.length : firstOther, 0, one);
  }

  #hasPlaceFor(owner: string): boolean {
    if (this.taken >= this.#slotsMax) return false;
    return (this.#taken.get(owner) ?? 0) < Math.ceil(this.#slotsMax * PLACES_SHARE);
  }

  #enter(owner: string): void {
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1);
  }

  /** A place goes on to who waits longest of those who may have one. */
  #release(owner: string): void {
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
