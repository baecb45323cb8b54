import { LIMITS } from "../../domain/limits.ts";

/** How many requests each caller holds at a time: one of them must not take the connections of all others. */
export class InFlight {
  readonly #max: number;
  readonly #held = new Map<string, number>();

  constructor(max: number = LIMITS.requestsPerCaller.default) {
    this.#max = max;
  }

  /** Null: they hold as many as they may. Else to be called once, when the answer has gone out. */
  enter(actor: string): (() => void) | null {
    const held = this.#held.get(actor) ?? 0;
    if (held >= this.#max) return null;
    this.#held.set(actor, held + 1);
    return () => this.#leave(actor);
  }

  #leave(actor: string): void {
    const held = (this.#held.get(actor) ?? 1) - 1;
    if (held === 0) this.#held.delete(actor);
    else this.#held.set(actor, held);
  }
}
