import type { StageName } from "../domain/codes.ts";

/** Where our code was when it threw: a stage of a call, or a part of the gate that works beside calls. */
export type FaultPlace = StageName | "door" | "desk" | "rules" | "sessions" | "store" | "blobs";

/** A mistake of the gate's own, or a broken dependency, for the people who run it. Without secrets. */
export interface Fault {
  /** The call that it befell; null if it belongs to none. */
  readonly callId: string | null;
  readonly stage: FaultPlace;
  /** The error's own code, such as `EIO`; null if it has none. */
  readonly code: string | null;
  /** What was thrown, with its stack and its causes. */
  readonly cause: string;
}

/**
 * The fault log. Callers and the ledger get a code and the call's id only, so an exception that is not reported here is lost.
 * Reporting never throws.
 */
export interface Faults {
  readonly report: (cause: unknown, where: { readonly stage: FaultPlace; readonly callId?: string | null }) => void;
}
