import type { Transport } from "@modelcontextprotocol/client";

/** As the SDK calls its questions for the era. */
const PROBE = "server-discover-probe-";

/** A program says that it is of 2026-07-28, after it was taken for one that says nothing to that. */
export class LateDiscovery extends Error {
  constructor() {
    super("it said too late that it is of 2026-07-28");
  }
}

/**
 * Rejects with the answer to `server/discover` that came after the time for it. INVARIANT (one era): such a program is not spoken to as
 * one of before, since its definitions would not be the same another time. An answer that came in time is not heard here: to be called
 * before the SDK connects, which keeps for itself what it hears while it waits for that answer.
 */
export function lateDiscovery(transport: Transport): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {}); // who does not wait any more
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
    if (typeof id === "string" && id.startsWith(PROBE) && result !== undefined) reject(new LateDiscovery());
    onmessage?.(message, extra);
  };
  return promise;
}
