import type { ServerResponse } from "node:http";

/** Once, when the answer has gone out or nobody takes it any more; at once where that was before. */
export function onceClosed(outgoing: Pick<ServerResponse, "closed" | "destroyed" | "once">, then: () => void): void {
  if (outgoing.closed || outgoing.destroyed) then();
  else outgoing.once("close", then);
}
