import { budgetExceeded, type Spending, usedUp } from "../domain/budget.ts";
import { type Lease, nested, type Session } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Faults } from "../ports/faults.ts";
import type { Journal } from "../ports/journal.ts";
import type { Leases } from "../ports/leases.ts";
import type { EndedAs, StoredSession, StoredSessions } from "../ports/sessions.ts";
import { budgetsOf } from "../rules/budget.ts";
import type { LeaseClock } from "./lease-clock.ts";
import {
  LEASE_EXPIRED,
  LEASE_REVOKED,
  LEASE_UNREADABLE,
  OTHER_WORKSPACE,
  SESSION_CLOSED,
  SESSION_UNKNOWN,
} from "./session-refusals.ts";

const ENDED = {
  closed: SESSION_CLOSED,
  expired: LEASE_EXPIRED,
  revoked: LEASE_REVOKED,
} as const satisfies Record<EndedAs, Refusal>;

/** A session with all those above it, its own first. */
export type Found = { readonly chain: readonly StoredSession[]; readonly lease: Lease } | { readonly refusal: Refusal };

/** Whether it is known that a session has come to its end; one that is not in the store has none. */
export const hasEnded = (found: Found): boolean =>
  "refusal" in found && (found.refusal.code === "LEASE_EXPIRED" || found.refusal.code === "LEASE_REVOKED");

/**
 * Leases as the store has them now. A session without a token is not in the store, and its lease is what it says.
 * INVARIANT (revoked at once): each call asks here when it is judged, and again when somebody has said yes to it.
 */
export class LeasesInForce implements Leases {
  readonly #sessions: StoredSessions;
  readonly #taken: (leaseId: string) => Spending;
  readonly #used: (leaseId: string) => Spending;
  readonly #clock: LeaseClock;
  readonly #workspace: string;
  readonly #faults: Faults;
  /** Children's leases, so that the lease of a session stays one object while nothing about it changes. */
  readonly #nested = new WeakMap<StoredSession, Lease>();
  /** Those of connections, by what narrows them, for the same reason. */
  readonly #combined = new WeakMap<Lease, Lease>();
  #expired: (session: StoredSession) => void = () => {};

  /** `workspace`: the gate's, by its real path. */
  constructor(
    { sessions, taken, used }: Pick<Journal, "sessions" | "taken" | "used">,
    clock: LeaseClock,
    workspace: string,
    faults: Faults,
  ) {
    this.#faults = faults;
    this.#workspace = workspace;
    this.#sessions = sessions;
    this.#taken = taken;
    this.#used = used;
    this.#clock = clock;
  }

  /** Told of each session whose lease is found to have run out, each time. */
  onExpired(expired: (session: StoredSession) => void): void {
    this.#expired = expired;
  }

  present(session: Session): { readonly lease: Lease } | { readonly refusal: Refusal } {
    const found = session.isOpened === true ? this.find(session.id, session.project) : session;
    if ("refusal" in found) return found;
    const { narrowed } = session;
    const lease = narrowed === undefined ? found.lease : this.#narrowed(narrowed, found.lease);
    const since = session.narrowedSince?.() ?? null;
    return { lease: since === null ? lease : this.#narrowed(since, lease) };
  }

  #narrowed(lease: Lease, within: Lease): Lease {
    const known = this.#combined.get(lease);
    if (known?.within === within) return known;
    const combined = nested(lease, within);
    this.#combined.set(lease, combined);
    return combined;
  }

  exceeded(lease: Lease): Refusal | null {
    try {
      for (const { leaseId, budget } of budgetsOf(lease)) {
        if (usedUp(budget, this.#taken(leaseId)) === null) continue;
        // What calls under way hold they may give back: whether there is enough of it is asked when a call starts.
        const kind = usedUp(budget, this.#used(leaseId));
        if (kind !== null) return budgetExceeded(kind, budget[kind] ?? 0);
      }
      return null;
    } catch (cause) {
      this.#faults.report(cause, { stage: "sessions" });
      return LEASE_UNREADABLE;
    }
  }

  find(sessionId: string, project: string): Found {
    const chain: StoredSession[] = [];
    try {
      for (let id: string | null = sessionId; id !== null; ) {
        const session: StoredSession | null = this.#sessions.find(id);
        if (session === null || session.project !== project) return { refusal: SESSION_UNKNOWN };
        if (session.ended !== null) return { refusal: ENDED[session.ended.as] };
        if (this.#clock.isOver(session)) {
          this.#expired(session);
          return { refusal: LEASE_EXPIRED };
        }
        // Whoever holds the token may choose where a gate is opened: `./` must not come to mean another folder by that.
        if (session.lease.workspace !== this.#workspace) return { refusal: OTHER_WORKSPACE };
        chain.push(session);
        if (chain.length > LIMITS.leaseDepth.maximum) return { refusal: SESSION_UNKNOWN };
        id = session.parentId;
      }
    } catch (cause) {
      this.#faults.report(cause, { stage: "sessions" });
      return { refusal: LEASE_UNREADABLE };
    }
    return { chain, lease: this.#leaseOf(chain) };
  }

  #leaseOf(chain: readonly StoredSession[]): Lease {
    return chain.reduceRight<Lease | undefined>((within, session) => {
      if (within === undefined) return session.lease;
      const known = this.#nested.get(session);
      if (known?.within === within) return known;
      const lease = { ...session.lease, within };
      this.#nested.set(session, lease);
      return lease;
    }, undefined) as Lease;
  }
}
