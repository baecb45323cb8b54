import type { Grant } from "./plan.ts";
import { quotedName } from "./visible.ts";

/** What of a grant a person has to know: what else is in it only takes away from this. */
export type ShownGrant = Pick<Grant, "read" | "write" | "connect">;

/**
 * What the programs of a call may do beside what was read out of it, in a sentence. INVARIANT (shown whole): what can't be planned is
 * bounded by this alone, so whoever says yes to a program says yes to it.
 */
export const grantInWords = ({ read, write, connect }: ShownGrant): string =>
  `by itself it may read ${listed(read, "nothing here")}; write ${listed(write, "nothing that stays")}; connect to ${listed(connect, "nothing")}`;

const listed = (patterns: readonly string[], none: string): string =>
  patterns.length === 0 ? none : patterns.map(quotedName).join(", ");
