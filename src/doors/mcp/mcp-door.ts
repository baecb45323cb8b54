import { EVERYTHING } from "../../domain/lease.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";
import type { Door } from "../wire/server-env.ts";
import { takenOut } from "../wire/taken-out.ts";
import type { HttpCaller, McpHttp } from "./http-handler.ts";

const PATH = "/mcp";

/**
 * MCP on the server, at `/mcp`. Its SDK is loaded with its first request. Tokens are this server's own and no authorization
 * server issues them, so there is no OAuth metadata: clients that find some start a sign-in that can't succeed (RFC 9728).
 */
export const mcpDoor: Door = {
  name: "mcp",
  publicPaths: [],
  mount: (app, { gate, stopping, callRate, tokens }) => {
    let opening: Promise<McpHttp> | null = null;
    const handler = () => {
      opening ??= import("./http-handler.ts").then(({ McpHttp: Handler }) => new Handler({ gate, callRate, stopping }));
      return opening;
    };
    stopping.addEventListener("abort", () => void opening?.then((open) => open.close()), { once: true });
    for (const path of [PATH, `${PATH}/`])
      app.all(path, async (context) => {
        context.set("route", PATH);
        const identity = context.get("identity");
        if (!mayUse(identity, "caller")) return notForThem();
        const caller = { ...callerFrom(identity, gate.project), takenOut: () => takenOut(identity, tokens) };
        return await (await handler()).serve(context, caller);
      });
  },
};

/** An agent's token is its session; others have one by their name. Only who may approve is asked. */
function callerFrom(identity: Identity, project: string): HttpCaller {
  const { actor, session, roles } = identity;
  const own = { id: `mcp:${actor}`, project, lease: EVERYTHING };
  return { actor, roles, session: session ?? own, ask: mayUse(identity, "approver") ? "client" : "desk" };
}

/** RFC 6750, section 3.1: the token is right, and its holder may not do this. */
const notForThem = (): Response =>
  problem("ROLE_REQUIRED", {
    detail: "this needs the role `caller`",
    headers: { "WWW-Authenticate": 'Bearer realm="toolgate", error="insufficient_scope"' },
  });
