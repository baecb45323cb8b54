import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import { type Lease, narrowedTo, type Session } from "../../domain/lease.ts";
import { leaseWithin, ROOTS_MS, UNTOLD } from "./roots.ts";

/** How a client of 2025 is asked: on its pipes at any time; over HTTP only where it waits for an answer, within a request. */
export type RootsBy = "connection" | "request";

/**
 * The session of a connection of 2025. A client that says that it has roots is asked for them before its first call, and
 * after each change; what it does in the session is narrowed to them.
 */
export function rootedSession(
  server: Server,
  base: Session,
  workspace: string,
  by: RootsBy,
): (ctx?: ServerContext) => Promise<Session> {
  let found: Promise<Lease | null> | null = null;
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    found = null;
  });
  return async (ctx) => {
    if (server.getClientCapabilities()?.roots === undefined) return base;
    const asking = found ?? rootsOf(server, by === "request" ? ctx : undefined).then(leaseFor);
    found = asking;
    const lease = await asking;
    // INVARIANT (asked again): silence is no answer that is kept.
    if (lease === UNTOLD && found === asking) found = null;
    return lease === null ? base : narrowedTo(base, lease);
  };

  function leaseFor(roots: readonly JsonValue[] | null): Lease | null {
    return roots === null ? UNTOLD : leaseWithin(roots, workspace);
  }
}

/** Null: it did not name them. */
async function rootsOf(server: Server, ctx: ServerContext | undefined): Promise<readonly JsonValue[] | null> {
  const options = { timeout: ROOTS_MS };
  try {
    const asking =
      ctx === undefined ? server.listRoots({}, options) : ctx.mcpReq.send({ method: "roots/list" }, options);
    const { roots } = await asking;
    return Array.isArray(roots) ? (roots as unknown as readonly JsonValue[]) : null;
  } catch {
    return null;
  }
}
