/** What a rule, a lease, a governor or a person says of a touch. */
export type Effect = "allow" | "ask" | "deny";

/** INVARIANT (strictest wins): decisions merge by `max` over this order and in no other way. */
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<Effect, number>;

export const stricter = (a: Effect, b: Effect): Effect => (STRICTNESS[a] >= STRICTNESS[b] ? a : b);

export const isStricter = (a: Effect, b: Effect): boolean => STRICTNESS[a] > STRICTNESS[b];
