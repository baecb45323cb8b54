import { setImmediate as immediately } from "node:timers/promises";

/** With one at a time their ends would come one by one as well, each with a sync of its own. */
const AT_ONCE = 4;

/** Each start forks this whole process while it stands still. Of many at once some have to wait for the next turn. */
export class Turns {
  #last: Promise<void> | null = null;
  #waits: Promise<void> | null = null;
  #started = 0;

  /** Of the event loop. Null: this one will do. */
  next(): Promise<void> | null {
    if (this.#last !== null && this.#started++ < AT_ONCE) return this.#waits;
    this.#waits = this.#last;
    this.#started = 1;
    const mine = (this.#last ?? Promise.resolve()).then(() => immediately());
    this.#last = mine;
    void mine.then(() => {
      if (this.#last === mine) this.#last = null;
    });
    return this.#waits;
  }
}
