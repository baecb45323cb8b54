/** What code in a small language does beside changing its input. */
export interface CodeActs {
  /** It starts commands that are made at run time, or can't be read: any text that it comes by may be one. */
  readonly runs: boolean;
  /** The files that it writes to; null = one that is named at run time. */
  readonly writes: readonly (string | null)[];
  /** It reads files that it was not given. */
  readonly reads: boolean;
}
