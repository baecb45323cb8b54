import { EVERYTHING } from "../../domain/lease.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";
import type { Door, ServerContext } from "../wire/server-env.ts";
import { takenOut } from "../wire/taken-out.ts";
import type { HttpCaller, McpHttp } from "./http-handler.ts";

const PATH = "/mcp";
const METADATA = "/.well-known/oauth-protected-resource";

/** MCP on the server, at `/mcp`. Its SDK is loaded with its first request. */
export const mcpDoor: Door = {
  name: "mcp",
  publicPaths: [METADATA, `${METADATA}${PATH}`],
  metadataFor: ({ pathname, origin }) => (pathname === PATH ? `${origin}${METADATA}${PATH}` : null),
  mount: (app, { gate, stopping, callRate, tokens }) => {
    let opening: Promise<McpHttp> | null = null;
    const handler = () => {
      opening ??= import("./http-handler.ts").then(({ McpHttp: Handler }) => new Handler({ gate, callRate, stopping }));
      return opening;
    };
    stopping.addEventListener("abort", () => void opening?.then((open) => open.close()), { once: true });
    app.all(PATH, async (context) => {
      const identity = context.get("identity");
      if (!mayUse(identity, "caller")) return notForThem(context);
      const caller = { ...callerFrom(identity, gate.project), takenOut: () => takenOut(identity, tokens) };
      return await (await handler()).serve(context, caller);
    });
    for (const path of [METADATA, `${METADATA}${PATH}`]) app.get(path, (context) => context.json(metadataFor(context)));
  },
};

/** An agent's token is its session; others have one by their name. Only who may approve is asked. */
function callerFrom(identity: Identity, project: string): HttpCaller {
  const { actor, session, roles } = identity;
  const own = { id: `mcp:${actor}`, project, lease: EVERYTHING };
  return { actor, roles, session: session ?? own, ask: mayUse(identity, "approver") ? "client" : "desk" };
}

/** RFC 6750, section 3.1: the token is right, and its holder may not do this. */
function notForThem({ req }: ServerContext): Response {
  const { origin } = new URL(req.url);
  const challenge = `Bearer realm="toolgate", error="insufficient_scope", resource_metadata="${origin}${METADATA}${PATH}"`;
  return problem("ROLE_REQUIRED", {
    detail: "this needs the role `caller`",
    headers: { "WWW-Authenticate": challenge },
  });
}

/**
 * RFC 9728. Tokens are this server's own, for itself and nobody else: so there is no authorization server to be found,
 * and a list that would be empty is left out (section 3.2).
 */
function metadataFor({ req }: ServerContext): object {
  const { origin } = new URL(req.url);
  return { resource: `${origin}${PATH}`, resource_name: "Toolgate", bearer_methods_supported: ["header"] };
}
