/** Time. Tests move it; nobody sleeps. */
export interface Clock {
  /** Milliseconds since 1970, UTC: for people and for the ledger. */
  readonly nowMs: () => number;
  /** Milliseconds since some start; never jumps: for durations and deadlines. */
  readonly monotonicMs: () => number;
  /**
   * Runs `task` once after `delayMs`, unless the returned function is called before. A deadline alone is no reason for the
   * process to go on, unless it says so.
   */
  readonly after: (delayMs: number, task: () => void, hold?: "keeps the process") => () => void;
}
