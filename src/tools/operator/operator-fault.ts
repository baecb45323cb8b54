/** Why something that the operator named can't be used. Nothing was started or sent. */
export interface OperatorFault {
  readonly code: "SPAWN_FAILED" | "CONNECT_FAILED";
  readonly message: string;
  readonly hint?: string;
}

export const operatorFault = (code: OperatorFault["code"], message: string, hint?: string): OperatorFault => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
});
