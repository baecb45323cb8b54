/** How long something has to stand where it is before it can be answered. */
const LOOKED_AT_MS = 500;

/**
 * INVARIANT (no answer by surprise): what a click or a key answers has stood there for half a second, counted from when it
 * was drawn: a very long text may take the browser seconds, in which a hand sees what was there before. A question that
 * comes under a hand on its way down is not what that hand meant.
 */
export class Armed {
  readonly #buttons: readonly HTMLElement[];
  readonly #isOpen: (button: HTMLElement) => boolean;
  #sinceMs = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  /** `isOpen`: whether a button may be pressed for another reason than time. */
  constructor(buttons: readonly HTMLElement[], isOpen: (button: HTMLElement) => boolean = () => true) {
    this.#buttons = buttons;
    this.#isOpen = isOpen;
    this.again();
  }

  get isReady(): boolean {
    return performance.now() - this.#sinceMs >= LOOKED_AT_MS;
  }

  /** Something else stands there now, or somebody looks at it only now. */
  again(): void {
    this.#sinceMs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    // The first is called before the page is laid out and drawn, the second when that is done.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = requestAnimationFrame(() => this.#begin());
    });
    this.show();
  }

  #begin(): void {
    this.#sinceMs = performance.now();
    this.#timer = setTimeout(() => this.show(), LOOKED_AT_MS);
  }

  /** Draws the buttons as they are now. */
  show(): void {
    for (const button of this.#buttons)
      button.setAttribute("aria-disabled", String(!this.isReady || !this.#isOpen(button)));
  }
}
