/** Randomness. Ids sort by the time they were made. */
export interface Ids {
  readonly next: (prefix: string) => string;
}
