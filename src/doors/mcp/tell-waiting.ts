import type { Progress } from "../../domain/tool.ts";
import type { Raised } from "./open-call.ts";

/** Clients give a request up that they have heard nothing of for a minute, some of them sooner. */
const EVERY_MS = 15_000;
/** So small that no steps of the tool itself are fewer than those of waiting for it. */
const STEP = 0.001;

/** Says where a question is answered, again and again until it is: also to who shows it, since it is answered at any door. */
export function tellWaiting(
  { approvalId, deadlineMs, signal }: Pick<Raised, "approvalId" | "deadlineMs" | "signal">,
  tell: (progress: Progress) => void,
): Disposable {
  const until = new Date(deadlineMs).toISOString();
  const message = `waits until ${until} for a person: toolgate approvals approve ${approvalId}`;
  let times = 0;
  const again = () => tell({ message, done: STEP * times++ });
  const timer = setInterval(again, EVERY_MS).unref();
  const stop = () => clearInterval(timer);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  else again();
  return { [Symbol.dispose]: stop };
}
