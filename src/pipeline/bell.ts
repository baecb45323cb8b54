/** Wakes whoever waits for the next ring. */
export class Bell {
  #next = Promise.withResolvers<void>();

  ring(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    resolve();
  }

  /** The next time. */
  rung(): Promise<void> {
    return this.#next.promise;
  }
}
