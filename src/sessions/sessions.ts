import { isLimited } from "../domain/budget.ts";
import type { EntryKind } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Lease, Session } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Faults } from "../ports/faults.ts";
import type { Ids } from "../ports/ids.ts";
import type { Journal } from "../ports/journal.ts";
import type { EndedAs, SessionChange, StoredSession } from "../ports/sessions.ts";
import { widening } from "../rules/lease-order.ts";
import { type LeaseSource, leaseFromSource } from "./lease-source.ts";
import type { LeasesInForce } from "./leases-in-force.ts";
import { cut, endOf, sessionEntry } from "./session-entry.ts";
import { implicitInfo, leaseBody, type SessionInfo, sessionInfo } from "./session-info.ts";
import {
  ID_UNKNOWN,
  LABEL_TOO_LONG,
  LEASE_UNREADABLE,
  notALease,
  OTHER_WORKSPACE,
  PARENT_UNKNOWN,
  SESSION_UNKNOWN,
  TOO_DEEP,
  TOO_MANY,
  widened,
} from "./session-refusals.ts";
import { hashOfToken, isToken, sessionOfToken, tokenFrom } from "./token.ts";
import { WrongTokens } from "./wrong-tokens.ts";

export interface SessionsParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly leases: LeasesInForce;
  readonly faults: Faults;
  readonly project: string;
  readonly workspace: string;
  /** The session of whoever opened none, and who that is. */
  readonly implicit: Session;
  readonly actor: string;
  readonly randomBytes: (count: number) => Buffer;
  /** Takes back the questions of sessions that have ended. */
  readonly withdraw: (project: string, isMeant: (sessionId: string) => boolean) => Promise<void>;
}

export interface OpenOptions {
  /** A name for people. */
  readonly label?: string;
  /** The session that asks, whose lease the new one's lies within. Left out: nothing but its own lease binds it. */
  readonly parent?: Pick<Session, "id" | "isOpened">;
  /** Who opens it. */
  readonly actor?: string;
}

export interface EndOptions {
  readonly actor?: string;
  readonly reason?: string;
}

type SessionPage = { readonly limit?: number; readonly after?: string };

export type Refused = { readonly kind: "refused"; readonly refusal: Refusal };

/** The token is here and nowhere else: who loses it opens another session. */
export type OpenedSession = { readonly kind: "opened"; readonly session: Session; readonly token: string } | Refused;

export type CheckedToken = { readonly kind: "open"; readonly session: Session } | Refused;

export type ChangedSession = { readonly kind: "changed"; readonly session: SessionInfo } | Refused;

const PAGE_MAX = 100;
const SECRET_BYTES = 32;

/** Sessions as doors open, check and end them. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #openedMs: number;
  readonly #wrong: WrongTokens;
  #telling: Promise<unknown> = Promise.resolve();
  readonly #expiring = new Set<string>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#openedMs = parts.clock.nowMs();
    this.#wrong = new WrongTokens(parts.clock, (count) => {
      this.#alsoTell(this.#note(count));
    });
    parts.leases.onExpired((session) => this.#expire(session));
  }

  /** A session with a lease of its own. Below a parent it may do what both leases cover, for as long as both last. */
  async open(source: LeaseSource, { label = "", parent, actor }: OpenOptions = {}): Promise<OpenedSession> {
    const { clock, ids, workspace, project, randomBytes } = this.#parts;
    const above = parent === undefined ? null : this.#above(parent);
    if (above !== null && "refusal" in above) return refused(above.refusal);
    const nowMs = clock.nowMs();
    const read = leaseFromSource(source as JsonValue, { nowMs, workspace });
    if (!read.ok) return refused(notALease(read.errors));
    if ([...label].length > LIMITS.sessionLabel.maximum) return refused(LABEL_TOO_LONG);
    const id = ids.next("session");
    const token = tokenFrom(id, randomBytes(SECRET_BYTES));
    const session: StoredSession = {
      id,
      project,
      parentId: above?.parentId ?? null,
      tokenHash: hashOfToken(token),
      lease: { id: ids.next("lease"), ...read.lease, workspace },
      label: label.toWellFormed(),
      openedBy: actor ?? this.#parts.actor,
      openedMs: nowMs,
      renewedMs: null,
      ended: null,
    };
    const body = { label: session.label, lease: leaseBody(session.lease), parentId: session.parentId };
    const committed = await this.#change(session, { kind: "open", session }, "session.opened", body, actor);
    if (committed.kind === "refused") return committed;
    const found = this.#parts.leases.find(id, project);
    if ("refusal" in found) return refused(found.refusal);
    return { kind: "opened", session: { id, project, lease: found.lease, isOpened: true }, token };
  }

  /** Whose token this is. `from`: where it came from, as far as the door knows. */
  async check(token: string, { from = "" }: { readonly from?: string } = {}): Promise<CheckedToken> {
    const { journal, leases, project } = this.#parts;
    const id = typeof token === "string" ? sessionOfToken(token) : null;
    let stored: StoredSession | null = null;
    try {
      stored = id === null ? null : journal.sessions.find(id);
    } catch (cause) {
      this.#parts.faults.report(cause, { stage: "sessions" });
      return refused(LEASE_UNREADABLE);
    }
    // Also where there is nothing to compare with: a token of no session takes as long as a wrong one.
    const isRight = isToken(String(token), stored?.tokenHash ?? null);
    if (!isRight || stored?.project !== project) return this.#refuseToken(from);
    const found = leases.find(stored.id, project);
    if ("refusal" in found) return refused(found.refusal);
    return { kind: "open", session: { id: stored.id, project, lease: found.lease, isOpened: true } };
  }

  /** The implicit session of this gate on the first page, then those that were opened, by the time of their opening. */
  async list({ limit = PAGE_MAX, after }: SessionPage = {}): Promise<readonly SessionInfo[]> {
    const { actor, implicit, journal, project } = this.#parts;
    const most = Math.max(1, Math.min(limit, PAGE_MAX));
    const opened = await journal.sessions.open(project, { limit: most, ...(after !== undefined && { after }) });
    const shown = opened.map((session) => this.#info(session));
    return after === undefined ? [implicitInfo(implicit, actor, this.#openedMs), ...shown] : shown;
  }

  async find(sessionId: string): Promise<SessionInfo | null> {
    const session = this.#stored(sessionId);
    return session === null || session.ended !== null ? null : this.#info(session);
  }

  /**
   * A new end, and less of everything else; what the source leaves out stays. INVARIANT (never wider): a lease that can't be
   * shown to lie within the one before is refused. An ended lease is not renewed.
   */
  async renew(sessionId: string, source: LeaseSource, { actor }: { actor?: string } = {}): Promise<ChangedSession> {
    const { clock, leases, project, workspace } = this.#parts;
    const found = leases.find(sessionId, project);
    if ("refusal" in found) return refused(found.refusal === SESSION_UNKNOWN ? ID_UNKNOWN : found.refusal);
    const [before] = found.chain as readonly [StoredSession];
    const nowMs = clock.nowMs();
    const read = leaseFromSource(source as JsonValue, { nowMs, workspace, base: before.lease });
    if (!read.ok) return refused(notALease(read.errors));
    const lease: Lease = { id: before.lease.id, ...read.lease, workspace };
    const wider =
      before.lease.expiresAtMs !== null && lease.expiresAtMs === null
        ? "no end"
        : widening(before.lease, lease, workspace);
    if (wider !== null) return refused(widened(wider));
    const { renewedMs } = before;
    const change = { kind: "renew", lease, atMs: nowMs, renewedMs } as const;
    const committed = await this.#change(before, change, "lease.renewed", { lease: leaseBody(lease) }, actor);
    if (committed.kind === "refused") return committed;
    return { kind: "changed", session: this.#info({ ...before, lease, renewedMs: nowMs }) };
  }

  /** Its holder is done. */
  close(sessionId: string, options: EndOptions = {}): Promise<ChangedSession> {
    return this.#end(sessionId, "closed", options);
  }

  /** Takes its rights back, and those of all sessions below it; questions of their calls are taken back as well. */
  revoke(sessionId: string, options: EndOptions = {}): Promise<ChangedSession> {
    return this.#end(sessionId, "revoked", options);
  }

  /** Records what is still to be recorded. */
  async stop(): Promise<void> {
    this.#wrong.end();
    await this.#telling;
  }

  /**
   * The ledger is told by whoever first finds that a lease has run out. One of all processes writes it: from then on the
   * session has ended.
   */
  #expire(session: StoredSession): void {
    if (this.#expiring.has(session.id)) return;
    this.#expiring.add(session.id);
    const ending = this.#endOf(session, "expired", {})
      .catch(() => {})
      .finally(() => this.#expiring.delete(session.id));
    this.#alsoTell(ending);
  }

  #alsoTell(telling: Promise<unknown>): void {
    const before = this.#telling;
    this.#telling = telling.then(() => before);
  }

  async #end(sessionId: string, as: EndedAs, options: EndOptions): Promise<ChangedSession> {
    const session = this.#stored(sessionId);
    if (session === null || session.ended !== null) return refused(ID_UNKNOWN);
    return await this.#endOf(session, as, options);
  }

  async #endOf(session: StoredSession, as: EndedAs, { actor, reason = "" }: EndOptions): Promise<ChangedSession> {
    const { clock, project, withdraw } = this.#parts;
    const atMs = clock.nowMs();
    const { renewedMs } = session;
    const change =
      as === "expired" ? ({ kind: "expire", atMs, renewedMs } as const) : ({ kind: "end", as, atMs } as const);
    const { kind, body } = endOf(session, as, reason);
    const committed = await this.#change(session, change, kind, body, actor);
    if (committed.kind === "refused") return committed;
    await withdraw(project, (id) => this.#isWithin(id, session.id));
    return { kind: "changed", session: sessionInfo(session, { state: "ended", spent: this.#spent(session) }) };
  }

  /** Whether a session is that one, or lies below it. */
  #isWithin(sessionId: string, above: string): boolean {
    let id: string | null = sessionId;
    for (let depth = 0; id !== null && depth <= LIMITS.leaseDepth.maximum; depth++) {
      if (id === above) return true;
      id = this.#stored(id)?.parentId ?? null;
    }
    return false;
  }

  /** What a new session lies within. An implicit parent is bound by nothing that outlives its process. */
  #above(
    parent: Pick<Session, "id" | "isOpened">,
  ): { readonly parentId: string | null } | { readonly refusal: Refusal } {
    if (parent.isOpened !== true)
      return parent.id === this.#parts.implicit.id ? { parentId: null } : { refusal: PARENT_UNKNOWN };
    const found = this.#parts.leases.find(parent.id, this.#parts.project);
    if ("refusal" in found) return found.refusal === SESSION_UNKNOWN ? { refusal: PARENT_UNKNOWN } : found;
    return found.chain.length >= LIMITS.leaseDepth.maximum ? { refusal: TOO_DEEP } : { parentId: parent.id };
  }

  #stored(sessionId: string): StoredSession | null {
    const session = this.#parts.journal.sessions.find(sessionId);
    return session?.project === this.#parts.project ? session : null;
  }

  #info(session: StoredSession): SessionInfo {
    const found = this.#parts.leases.find(session.id, session.project);
    const isOpen = !("refusal" in found) || found.refusal === OTHER_WORKSPACE;
    return sessionInfo(session, { state: isOpen ? "open" : "ended", spent: this.#spent(session) });
  }

  #spent({ lease }: StoredSession): SessionInfo["spent"] {
    return isLimited(lease.budget) ? this.#parts.journal.taken(lease.id) : null;
  }

  async #refuseToken(from: string): Promise<Refused> {
    if (this.#wrong.count() === "counted") return refused(TOO_MANY);
    await this.#note(1, cut(from, LIMITS.sessionLabel.maximum));
    return refused(SESSION_UNKNOWN);
  }

  /** INVARIANT (no token told): how many there were, and where from; never what they were. */
  async #note(count: number, from = ""): Promise<unknown> {
    const { actor, clock, implicit, journal } = this.#parts;
    const body = { count, from, why: "wrong token" };
    const entry = { at: isoTime(clock.nowMs()), kind: "session.refused", actor, body } as const;
    return await journal.note(sessionEntry(entry, implicit)).catch(() => {});
  }

  async #change(
    session: StoredSession,
    change: SessionChange["change"],
    kind: EntryKind,
    body: JsonObject,
    actor = this.#parts.actor,
  ): Promise<Refused | { readonly kind: "written" }> {
    const { clock, journal } = this.#parts;
    const entries = () => [sessionEntry({ at: isoTime(clock.nowMs()), kind, actor, body }, session)] as const;
    const committed = await journal.changeSession({ sessionId: session.id, change, entries });
    return committed.kind === "failed" ? refused(committed.refusal) : { kind: "written" };
  }
}

const refused = (refusal: Refusal): Refused => ({ kind: "refused", refusal });
