import type { DoorParts, ServerContext } from "../wire/server-env.ts";

/**
 * Of this server, as a client reaches it. INVARIANT (no downgrade): the names of `server.hosts` are those of a proxy that
 * encrypts, and a card that said `http` would have clients send their tokens there in the open.
 */
export function ownOrigin({ req }: ServerContext, { gate }: Pick<DoorParts, "gate">): string {
  const { host, origin } = new URL(req.url);
  const isProxys = gate.inForce.server.hosts.some((name) => name.toLowerCase() === host);
  return isProxys ? `https://${host}` : origin;
}
