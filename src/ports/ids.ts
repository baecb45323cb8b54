/** Randomness. Ids sort by the time they were made. */
export interface Ids {
  /** `nowMs` where the caller has looked at the clock already. */
  readonly next: (prefix: string, nowMs?: number) => string;
}
