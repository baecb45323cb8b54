/** What programs said of themselves, by the hash of the program: another program has another entry. */
export interface ProbeCache {
  /** Null = nothing is known, or it is too old. */
  readonly get: (sha256: string, nowMs: number) => Promise<string | null>;
  /** A cache that can't be written is no reason to fail. */
  readonly put: (sha256: string, text: string, nowMs: number) => Promise<void>;
}
