import type { Digest } from "./digest.ts";
import type { JsonObject } from "./json.ts";

export type EntryKind =
  | "tool.requested"
  | "tool.decided"
  | "tool.started"
  | "tool.dispatched"
  | "tool.executed"
  | "approval.given"
  | "approval.answered"
  | "approval.automatic"
  | "session.opened"
  | "session.closed"
  | "session.refused"
  | "lease.renewed"
  | "lease.revoked"
  | "lease.expired"
  | "evidence.published"
  | "evidence.prompt"
  | "evidence.collected"
  | "evidence.late_result"
  | "policy.loaded"
  | "policy.refused"
  | "policy.always"
  | "upstream.started"
  | "upstream.pinned"
  | "upstream.changed"
  | "upstream.accepted"
  | "agent.started"
  | "agent.ended"
  | "workspace.held_back";

/** An entry before it has its place in the chain. */
export interface EntryDraft {
  readonly at: string;
  readonly kind: EntryKind;
  readonly project: string;
  readonly sessionId: string;
  /** Null: about no call. */
  readonly callId: string | null;
  readonly actor: string;
  readonly planDigest: Digest | null;
  readonly body: JsonObject;
}

/** INVARIANT (chain): `hash` is SHA-256 over the canonical JSON of all other fields; `prev` is the hash before it. */
export interface Entry extends EntryDraft {
  readonly v: 1;
  readonly seq: number;
  readonly prev: Digest;
  readonly hash: Digest;
}
