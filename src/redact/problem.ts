/** Why a secret or a pattern can't be used. Never holds the value of a secret. */
export interface RedactProblem {
  readonly kind: "secret" | "pattern";
  /** The name of the secret or pattern. */
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
}
