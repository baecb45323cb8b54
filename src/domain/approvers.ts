/** Who a rule wants to hear before a call may run. */
export interface Approvers {
  readonly ruleId: string;
  /** Any of these roles. Null with `users` null: anybody who may answer questions. INVARIANT (empty means none). */
  readonly roles: readonly string[] | null;
  readonly users: readonly string[] | null;
  /** How many different people have to say yes. */
  readonly people: number;
  /** Whether who made the call, or opened the session that it was made in, may be one of them. */
  readonly requester: "may" | "never";
}
