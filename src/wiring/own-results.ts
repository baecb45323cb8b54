import type { Entry } from "../domain/entry.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Session } from "../domain/lease.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Grant } from "../domain/plan.ts";
import type { Touch } from "../domain/touch.ts";
import type { JournalView } from "../ports/journal-view.ts";
import type { Leases } from "../ports/leases.ts";
import { budgetsOf } from "../rules/budget.ts";
import { grantOutsideLease } from "../rules/grant-within.ts";
import { outsideLease } from "../rules/lease.ts";
import { PUBLISH_TOOL } from "./publish-tool.ts";

export interface OwnResultsParts {
  readonly leases: Leases;
  readonly view: JournalView;
  readonly workspace: string;
  readonly project: string;
}

/** As many of a session's last calls are looked through for one that made a blob, where nobody says which. */
const LAST_CALLS = 200;

/**
 * What a session may read of what came of its calls. INVARIANT (the lease of this moment): a result that was made under a
 * wider lease is kept, and not shown under a narrower one.
 */
export class OwnResults {
  readonly #parts: OwnResultsParts;

  constructor(parts: OwnResultsParts) {
    this.#parts = parts;
  }

  /** Null: it may read what came of the call that these entries tell of. */
  refusal(session: Session, tool: string, entries: readonly Entry[]): Refusal | null {
    const { leases, workspace } = this.#parts;
    const present = leases.present(session);
    if ("refusal" in present) return present.refusal;
    const decided = entries.findLast(({ kind, body }) => kind === "tool.decided" && Array.isArray(body["touches"]));
    // Nothing was let through, so nothing came of it but a no.
    if (decided === undefined) return entries.some(({ kind }) => kind === "tool.executed") ? narrowed("it") : null;
    const { touches, grant } = decided.body as unknown as Decided;
    const outside =
      outsideLease(
        present.lease,
        tool,
        touches.map(({ touch }) => touch),
        workspace,
      ) ?? (isJsonObject(grant) ? grantOutsideLease(grant as unknown as Grant, present.lease, workspace) : null);
    return outside === null ? null : narrowed(outside);
  }

  /**
   * Whether a session may read a blob: one that came of its own calls, or that it has stored.
   */
  blob(session: Session, hash: string, { seq, actor }: BlobHints = {}): Refusal | null | "unknown" {
    const isOwn = (entry: Entry) =>
      entry.sessionId === session.id && (actor === undefined || entry.actor === actor.toWellFormed());
    const entry = this.#entryAbout(hash, seq, isOwn, session.id);
    if (entry === undefined) return "unknown";
    const present = this.#parts.leases.present(session);
    if ("refusal" in present) return present.refusal;
    if (budgetsOf(present.lease).some(({ budget }) => budget.bytes !== null)) return NOT_COUNTED;
    if (entry.callId === null) {
      const outside = outsideLease(present.lease, PUBLISH_TOOL, [], this.#parts.workspace);
      return outside === null ? null : narrowed(outside);
    }
    const call = this.#parts.view.call(entry.callId);
    return call === null ? "unknown" : this.refusal(session, call.tool, this.#parts.view.stepsOf(entry.callId));
  }

  /**
   * Whether a person may read a blob who answers no questions, and so is not shown what comes of others' calls: one of
   * their own calls, or evidence, which is stored for people to see.
   */
  isBlobFor(actor: string, hash: string, seq?: number): boolean {
    const isShown = (entry: Entry) => entry.actor === actor || entry.kind === "evidence.published";
    return this.#entryAbout(hash, seq, isShown) !== undefined;
  }

  #entryAbout(hash: string, seq: number | undefined, isWanted: Wanted, sessionId?: string): Entry | undefined {
    const { project, view } = this.#parts;
    const isIt = (entry: Entry) => entry.project === project && names(entry, hash) && isWanted(entry);
    if (seq !== undefined) return view.entries(seq, seq).find(isIt);
    const { calls } = view.calls({ project, ...(sessionId !== undefined && { sessionId }), limit: LAST_CALLS });
    for (const { lastSeq } of calls) {
      const found = view.entries(lastSeq, lastSeq).find(isIt);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

interface BlobHints {
  /** The entry that tells of it, as the receipt of an outcome names it; without, the session's last calls are looked through. */
  readonly seq?: number | undefined;
  /** Of a conversation, which several people may name: only what came of this one's calls. */
  readonly actor?: string;
}

type Wanted = (entry: Entry) => boolean;

interface Decided {
  readonly touches: readonly { readonly touch: Touch }[];
  readonly grant?: unknown;
}

const KINDS: ReadonlySet<string> = new Set(["tool.executed", "evidence.published"] satisfies Entry["kind"][]);

/** The gate itself writes these members of these entries: no caller can put a hash there. */
const names = ({ kind, body }: Entry, hash: string): boolean =>
  KINDS.has(kind) && (body["blob"] === hash || body["resultBlob"] === hash);

const narrowed = (what: string): Refusal => ({
  code: "LEASE_SCOPE",
  stage: "judge",
  message: `the lease does not cover ${what} any more, so what came of it is not shown`,
  hint: "ask for a wider lease",
});

/** What is cut to the bytes that are left must not be had whole beside it. */
const NOT_COUNTED: Refusal = {
  code: "LEASE_SCOPE",
  stage: "judge",
  message: "the lease limits bytes, which are counted for calls only, so no blob is read under it",
  hint: "ask for a lease without a budget of `bytes`, or have a person read it",
};
