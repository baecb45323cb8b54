/** How long something has to stand where it is before it can be answered. */
const LOOKED_AT_MS = 500;

/**
 * INVARIANT (no answer by surprise): what a click or a key answers has stood there for half a second. A question that comes
 * under a hand on its way down is not what that hand meant.
 */
export class Armed {
  readonly #buttons: readonly HTMLElement[];
  #sinceMs = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(...buttons: readonly HTMLElement[]) {
    this.#buttons = buttons;
    this.again();
  }

  get isReady(): boolean {
    return performance.now() - this.#sinceMs >= LOOKED_AT_MS;
  }

  /** Something else stands there now, or somebody looks at it only now. */
  again(): void {
    this.#sinceMs = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), LOOKED_AT_MS);
    this.#show();
  }

  #show(): void {
    for (const button of this.#buttons) button.setAttribute("aria-disabled", String(!this.isReady));
  }
}
