import { createHash } from "node:crypto";
import { ownOrigin } from "../wire/own-origin.ts";
import { headersOf } from "../wire/request-headers.ts";
import type { Door, ServerContext } from "../wire/server-env.ts";
import { A2A_PATH, CARD_PATH, publicCard } from "./agent-card.ts";

/** A2A 1.0 on the server, by JSON-RPC and HTTP+JSON. A task is one governed call. What answers is loaded with the first request. */
export const a2aDoor: Door = {
  name: "a2a",
  publicPaths: [CARD_PATH],
  mount: (app, parts) => {
    app.get(CARD_PATH, (context) => {
      context.set("route", CARD_PATH);
      return cardResponse(context, ownOrigin(context, parts));
    });
    for (const path of [A2A_PATH, `${A2A_PATH}/`])
      app.post(path, async (context) => {
        context.set("route", A2A_PATH);
        const { answerJsonRpc } = await import("./json-rpc.ts");
        return await answerJsonRpc(context, parts);
      });
    app.all(`${A2A_PATH}/*`, async (context) => {
      const { answerHttpJson } = await import("./http-json.ts");
      return await answerHttpJson(context, parts);
    });
  },
};

/** It changes with the version and with nothing else, so whoever keeps it may ask whether it has. */
function cardResponse({ env }: ServerContext, origin: string): Response {
  const text = JSON.stringify(publicCard(origin));
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  const headers = { ETag: tag, "Cache-Control": "public, max-age=300", "Content-Type": "application/json" };
  const known = headersOf(env.incoming).get("if-none-match") ?? "";
  const isKnown = known.split(",").some((each) => each.trim().replace(/^W\//, "") === tag || each.trim() === "*");
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
}
