import type { ValidCall } from "../domain/call.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { BlobHash, BlobResult } from "./blobs.ts";

/** What stands under an artifact's name: the blob of its content, and the blob of what is said about it. */
export interface ArtifactEntry {
  readonly content: BlobHash;
  readonly record: BlobHash;
}

/** INVARIANT (immutable): what was published under a name stays, whoever comes later, in whichever process. */
export interface Artifacts {
  /** Durable when it returns. Where the name is taken already: what stands there, and nothing is changed. */
  readonly add: (
    project: string,
    id: string,
    entry: ArtifactEntry,
  ) => Promise<BlobResult<{ readonly isNew: boolean; readonly entry: ArtifactEntry }>>;
  /** Null: nothing is published under this name. */
  readonly byId: (project: string, id: string) => Promise<BlobResult<ArtifactEntry | null>>;
  /** The first that was published with this content. `hash` may come from anybody. */
  readonly byContent: (project: string, hash: string) => Promise<BlobResult<ArtifactEntry | null>>;
}

type Caller = Pick<ValidCall, "session" | "actor" | "callId" | "project">;

/** What of the store a call may use, and what the ledger is told of it. */
export interface Evidence {
  /** INVARIANT (knowing is not owning): whether its caller has stored this content, or it came of the caller's own calls. */
  readonly holds: (caller: Caller, hash: string) => boolean;
  /** From now on its caller does. */
  readonly keep: (caller: Caller, hash: BlobHash) => void;
  /** Tells the ledger of something that a call has put into the store; null = it is told. */
  readonly tell: (
    caller: Caller,
    kind: "evidence.published" | "evidence.prompt",
    body: JsonObject,
  ) => Promise<Refusal | null>;
}
