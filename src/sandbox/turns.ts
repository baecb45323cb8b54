import { setImmediate as immediately } from "node:timers/promises";

/** Each start forks this whole process while it stands still. Of several at once each has a turn of the event loop. */
export class Turns {
  #last: Promise<void> | null = null;

  /** Null: nobody else has had this one. */
  next(): Promise<void> | null {
    const before = this.#last;
    const mine = (before ?? Promise.resolve()).then(() => immediately());
    this.#last = mine;
    void mine.then(() => {
      if (this.#last === mine) this.#last = null;
    });
    return before;
  }
}
