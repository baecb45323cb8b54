import type { Digest } from "../domain/digest.ts";
import type { UpstreamTool } from "../domain/upstream.ts";

/** Why a definition is looked at twice. */
export type ToolFlag =
  /** It holds characters that people don't see and models do. */
  | "hidden-text"
  /** It speaks to the model about other things than what it does. */
  | "instructions"
  /** Its name looks like another tool's. */
  | "look-alike";

/** A definition as it was first seen, or as a person accepted it. */
export interface Pin {
  readonly digest: Digest;
  readonly definition: UpstreamTool;
  readonly flags: readonly ToolFlag[];
  /** ISO 8601. */
  readonly seenAt: string;
  readonly accepted?: { readonly at: string; readonly by: string };
  /** What the upstream says now, where that is something else. Until somebody accepts it, the tool is not called. */
  readonly changed?: { readonly digest: Digest; readonly definition: UpstreamTool; readonly seenAt: string };
  /** What the upstream says now is no definition, and nobody can accept it. Until it says something else, the tool is not called. */
  readonly malformed?: { readonly because: string; readonly seenAt: string };
}

/** All of one upstream, by the upstream's own names. */
export type Pins = Readonly<Record<string, Pin>>;

/** What was seen of upstreams: their tools under `NAME`, what else they offer under `NAME.offers`, their code under `NAME.code`. Durable, and closed to tools like all of the state. */
export interface PinStore {
  /** Null: nothing of this upstream was ever seen. Throws where it can't be read: then nothing of it is known. */
  readonly read: (upstream: string) => Pins | null;
  /** All of it or nothing. */
  readonly write: (upstream: string, pins: Pins) => void;
  /** Does something with what is pinned of an upstream that no other process does meanwhile. Waits for its turn, for a bounded time. */
  readonly alone: <Result>(upstream: string, step: () => Promise<Result>) => Promise<Alone<Result>>;
}

export type Alone<Result> =
  | { readonly ok: true; readonly value: Result }
  /** Not done. */
  | { readonly ok: false; readonly reason: string };
