/** Why a secret or a pattern can't be used. Told when the gate is opened; nothing is redacted half-way. */
export interface RedactProblem {
  /** The secret's or the pattern's name. Never the value. */
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
}
