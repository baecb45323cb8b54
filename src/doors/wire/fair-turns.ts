/** As many requests of one caller begin in one turn of the event loop. */
const AT_ONCE = 8;

interface Line {
  begun: number;
  readonly waiting: (() => void)[];
}

/**
 * Hundreds of requests may come in one piece, pipelined on one connection, and each be cheap: together they would hold everybody
 * else up until the last is answered. So what one caller sends at once begins in turns, and others go in between.
 */
export class FairTurns {
  readonly #lines = new Map<string, Line>();

  /** Null: at once. Costs hardly anything where requests come one by one. */
  turn(actor: string): Promise<void> | null {
    const line = this.#lines.get(actor);
    if (line === undefined) {
      this.#lines.set(actor, { begun: 1, waiting: [] });
      setImmediate(() => this.#next(actor));
      return null;
    }
    if (line.waiting.length === 0 && line.begun < AT_ONCE) {
      line.begun++;
      return null;
    }
    return new Promise((resolve) => void line.waiting.push(resolve));
  }

  /** One a turn: what is asked for in this phase of the loop comes in the next. */
  #next(actor: string): void {
    const next = this.#lines.get(actor)?.waiting.shift();
    if (next === undefined) {
      this.#lines.delete(actor);
      return;
    }
    next();
    setImmediate(() => this.#next(actor));
  }
}
