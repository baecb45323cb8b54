import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import { type Lease, narrowedTo, type Session } from "../../domain/lease.ts";
import { isOfTheClient } from "./client-facts.ts";
import { leaseWithin, MOVED, ROOTS_MS, UNTOLD } from "./roots.ts";

/** How a client of 2025 is asked: on its pipes at any time; over HTTP only where it waits for an answer, within a request. */
export type RootsBy = "connection" | "request";

/** A session that is narrowed to the roots of its client. */
export interface Rooted {
  readonly session: (ctx?: ServerContext) => Promise<Session>;
  /** A request waits for its answer, until it is disposed of: by it the client can be asked. */
  readonly waiting: (ctx: ServerContext) => Disposable;
}

/**
 * The session of a connection of 2025. A client that says that it has roots is asked for them before its first call, and
 * after each change; what it does in the session is narrowed to them. INVARIANT (roots of this moment): what waits for an answer
 * meanwhile is held against those of when it came and those of now, and while nobody knows these, it may do nothing.
 */
export function rootedSession(server: Server, base: Session, workspace: string, by: RootsBy): Rooted {
  let asking: Promise<Session> | null = null;
  let lease: Lease | null = null;
  let asked = 0;
  const open = new Set<ServerContext>();
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    if (asked === 0) return; // nobody has asked for them yet
    lease = MOVED;
    // The latest that waits. Where none does, nothing is judged until a call comes, and that asks by itself.
    const latest = [...open].at(-1);
    const again = by === "request" && latest === undefined ? null : ask(latest);
    // Over HTTP that request may be answered before its client has: a call that comes asks by its own.
    asking = by === "request" ? null : again;
  });
  const session = async (ctx?: ServerContext): Promise<Session> => {
    if (server.getClientCapabilities()?.roots === undefined) return base;
    asking ??= ask(ctx);
    return await asking;
  };
  const waiting = (ctx: ServerContext): Disposable => {
    open.add(ctx);
    return { [Symbol.dispose]: () => void open.delete(ctx) };
  };
  return { session, waiting };

  async function ask(ctx: ServerContext | undefined): Promise<Session> {
    const mine = ++asked;
    const roots = await rootsOf(server, by === "request" ? ctx : undefined);
    const found = roots === null ? UNTOLD : leaseWithin(roots, workspace);
    if (mine === asked) {
      lease = found;
      // INVARIANT (asked again): silence is no answer that is kept.
      if (found === UNTOLD) asking = null;
    }
    const session = found === null ? base : narrowedTo(base, found);
    return { ...session, narrowedSince: () => (lease === found ? null : lease) };
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
  } catch (error) {
    if (!isOfTheClient(error)) throw error;
    return null;
  }
}
