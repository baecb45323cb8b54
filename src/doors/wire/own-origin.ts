import type { DoorParts, ServerContext } from "./server-env.ts";

/**
 * The origin of this server, as the client of a request reaches it. INVARIANT (no downgrade): the names of `server.hosts`
 * belong to a proxy that encrypts. An agent card or OpenAPI document with `http` would make clients send their tokens in
 * the open.
 */
export function ownOrigin({ req }: ServerContext, { gate }: Pick<DoorParts, "gate">): string {
  const { host, origin } = new URL(req.url);
  const isProxys = gate.inForce.server.hosts.some((name) => name.toLowerCase() === host);
  return isProxys ? `https://${host}` : origin;
}
