/** How long it is quiet after a ring. Nobody who reads notices, and of a busy ledger many entries are read at once. */
const QUIET_MS = 10;

/** Rings at once where nothing has happened for a while, and else so many times a second, however much happens. */
export class Bell {
  readonly #ring: () => void;
  #state: "quiet" | "soon" | "rung" | "due" = "quiet";

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Not in this very turn: whoever writes goes on first, and often writes again. */
  soon(): void {
    if (this.#state === "rung") this.#state = "due";
    if (this.#state !== "quiet") return;
    this.#state = "soon";
    setImmediate(() => this.#now());
  }

  #now(): void {
    this.#state = "rung";
    setTimeout(() => this.#over(), QUIET_MS);
    this.#ring();
  }

  #over(): void {
    if (this.#state === "due") this.#now();
    else this.#state = "quiet";
  }
}
