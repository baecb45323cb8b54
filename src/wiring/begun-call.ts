import type { Outcome } from "../domain/outcome.ts";
import type { JournalView } from "../ports/journal-view.ts";
import { untilSeen } from "./until-seen.ts";

/** A call that the journal has, or that has ended without that. */
export interface BegunCall {
  readonly callId: string;
  readonly outcome: Promise<Outcome>;
}

/** Comes back as soon as somebody else could find the call: who is told an id can ask for it. Null: it was not made. */
export async function begunCall(
  make: (onMade: (callId: string) => void) => Promise<Outcome | null>,
  view: Pick<JournalView, "call" | "watch">,
): Promise<BegunCall | null> {
  const made = Promise.withResolvers<string>();
  const ended = make(made.resolve);
  const callId = await Promise.race([made.promise, ended.then((outcome) => outcome?.callId ?? null)]);
  if (callId === null) return null;
  // What has an id was made.
  const outcome = ended as Promise<Outcome>;
  const stop = new AbortController();
  const known = untilSeen(view, () => view.call(callId) !== null, stop.signal);
  await Promise.race([known, outcome]).finally(() => stop.abort());
  return { callId, outcome };
}
