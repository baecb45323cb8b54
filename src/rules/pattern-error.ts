/** Why a pattern can't be used, and what to write instead. */
export interface PatternError {
  readonly error: string;
  readonly hint?: string;
}

export const patternError = (error: string, hint?: string): PatternError =>
  hint === undefined ? { error } : { error, hint };
