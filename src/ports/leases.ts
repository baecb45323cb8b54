import type { Lease, Session } from "../domain/lease.ts";
import type { Refusal } from "../domain/outcome.ts";

/** Which lease a session has at this moment: it may have been renewed, revoked or have run out since the call came. */
export interface Leases {
  readonly present: (session: Session) => { readonly lease: Lease } | { readonly refusal: Refusal };
  /** Whether something that the lease limits is used up, before anything else is looked at. */
  readonly exceeded: (lease: Lease) => Refusal | null;
}
