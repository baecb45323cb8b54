import type { Outcome } from "../../domain/outcome.ts";

/** Fixed: scripts rely on them. */
export const EXIT = { ok: 0, usage: 2, ledgerBroken: 6, fault: 70 /* EX_SOFTWARE of sysexits(3) */ } as const;

export const OUTCOME_EXIT = {
  completed: 0,
  failed: 1,
  refused: 3,
  pending: 4,
  unknown: 5,
} as const satisfies Record<Outcome["kind"], number>;
