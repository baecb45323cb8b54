import type { Outcome } from "../../domain/outcome.ts";
import type { Gate } from "../../wiring/gate.ts";

/** The calls that are made for an agent. INVARIANT (one end): nobody leaves before each of them has its outcome. */
export class CallsMade {
  readonly #gate: Pick<Gate, "call">;
  readonly #open = new Set<Promise<Outcome>>();

  constructor(gate: Pick<Gate, "call">) {
    this.#gate = gate;
  }

  readonly make: Gate["call"] = (...given) => {
    const made = this.#gate.call(...given);
    const over = () => void this.#open.delete(made);
    this.#open.add(made);
    made.then(over, over);
    return made;
  };

  async idle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}
