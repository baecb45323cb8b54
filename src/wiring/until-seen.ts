import type { JournalView } from "../ports/journal-view.ts";

/** Until the journal is seen to be so. False: the signal came first. */
export async function untilSeen(
  view: Pick<JournalView, "watch">,
  holds: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = () => {
    if (holds()) resolve(true);
  };
  const stop = () => resolve(false);
  const unwatch = view.watch(look);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  look();
  try {
    return await promise;
  } finally {
    unwatch();
    signal.removeEventListener("abort", stop);
  }
}
