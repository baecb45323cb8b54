import type { EntryDraft } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { Session } from "../domain/lease.ts";
import type { Receipt, Refusal } from "../domain/outcome.ts";
import type { BlobFault, BlobHash, Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { Leases } from "../ports/leases.ts";
import type { Redactor } from "../redact/redactor.ts";
import { budgetsOf } from "../rules/budget.ts";
import { outsideLease } from "../rules/lease.ts";
import type { HeldContent } from "./held-content.ts";
import { PUBLISH_TOOL } from "./publish-tool.ts";

export interface PublishParts {
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly held: Pick<HeldContent, "keep">;
  readonly journal: Journal;
  readonly leases: Leases;
  readonly redactor: Redactor;
  readonly workspace: string;
  readonly signature: Pick<EntryDraft, "project" | "sessionId" | "actor">;
}

export interface PublishOptions {
  readonly actor: string;
  /** Of an agent: its lease has to cover the tool `publish_artifact`, which is what this is to it. */
  readonly session: Session | null;
  /** What the content has to hash to. */
  readonly hash?: string;
}

export type Published =
  | { readonly kind: "stored"; readonly hash: BlobHash; readonly bytes: number; readonly receipt: Receipt }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "failed"; readonly fault: BlobFault };

/** Keeps content for somebody, without the secrets in it, and tells the ledger, which keeps it from being collected. */
export async function publishBlob(
  content: AsyncIterable<Uint8Array>,
  { actor, session, hash }: PublishOptions,
  { blobs, clock, held, journal, leases, redactor, workspace, signature }: PublishParts,
): Promise<Published> {
  const refusal = session === null ? null : refusalFor(session, leases, workspace);
  if (refusal !== null) return { kind: "refused", refusal };
  const stored = await blobs.put(
    signature.project,
    redactor.certain.redactChunks(content),
    hash as BlobHash | undefined,
  );
  if (!stored.ok) return { kind: "failed", fault: stored.fault };
  const { hash: blob, bytes } = stored.value;
  const noted = await journal.note({
    ...signature,
    at: isoTime(clock.nowMs()),
    kind: "evidence.published",
    sessionId: session?.id ?? signature.sessionId,
    callId: null,
    actor: actor.toWellFormed(),
    planDigest: null,
    body: { blob, bytes },
  });
  // What no entry names is collected after a while.
  if (noted.kind === "failed") return { kind: "refused", refusal: noted.refusal };
  held.keep({ project: signature.project, session, actor }, blob);
  return { kind: "stored", hash: blob, bytes, receipt: noted.receipt };
}

function refusalFor(session: Session, leases: Leases, workspace: string): Refusal | null {
  const present = leases.present(session);
  if ("refusal" in present) return present.refusal;
  const { lease } = present;
  if (outsideLease(lease, PUBLISH_TOOL, [], workspace) !== null) return NOT_COVERED;
  // Only what a call uses up is counted, and this is none.
  if (budgetsOf(lease).some(({ budget }) => budget.bytes !== null)) return NOT_COUNTED;
  return leases.exceeded(lease);
}

const NOT_COVERED: Refusal = {
  code: "LEASE_SCOPE",
  stage: "judge",
  message: `the lease does not cover tool \`${PUBLISH_TOOL}\`, so nothing can be stored under it`,
  hint: "ask for a wider lease",
};

const NOT_COUNTED: Refusal = {
  code: "LEASE_SCOPE",
  stage: "judge",
  message: "the lease limits bytes, which are counted for calls only, so nothing can be stored under it",
  hint: "ask for a lease without a budget of `bytes`, or have a person store it",
};
