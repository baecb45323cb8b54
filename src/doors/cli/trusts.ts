/** What a person can say of a description; `native` is for tools that the gate brings along. */
export const TRUSTS = ["vendor", "org", "community", "user", "inferred"] as const;
