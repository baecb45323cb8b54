/** Why a command is not simply run. What matters most comes first: of two reasons to ask, that one is named. */
export const REASONS = [
  "trust",
  "network",
  "filesystem-write",
  "interactive",
  "destructive",
  "filesystem-delete",
  "non-reversible",
  "unsafe",
  "billable",
  "cost-high",
  "partial",
  "unsigned",
  "low-trust",
] as const;

export type Reason = (typeof REASONS)[number];

/** Something about a command that asks for a person or forbids it. Never the opposite. */
export interface Finding {
  readonly effect: "ask" | "deny";
  readonly reason: Reason;
  readonly because: string;
}
