import { isoTime } from "../../../domain/iso-time.ts";
import { problem } from "../../wire/problem.ts";
import { json, type Route, route } from "../route.ts";

const NO_MEMBERS = { type: "object", additionalProperties: false, properties: {} } as const;
const TIME = { type: "string", description: "ISO 8601, UTC" } as const;
const PEOPLE_ONLY = { detail: "send the token of a person" } as const;

export const login: Route = route({
  id: "login",
  method: "POST",
  path: "/login",
  summary:
    "Log a browser in: a token of its own for the token or the code that it sends (`Authorization: Code …`), and a cookie that opens one event stream within a minute, because `EventSource` can't send a header.",
  access: "person",
  body: NO_MEMBERS,
  answers: {
    200: {
      means: "the browser is logged in",
      schema: {
        type: "object",
        required: ["user", "roles", "token", "expires_at"],
        properties: {
          user: { type: "string" },
          roles: { type: "array", items: { type: "string" } },
          token: { type: ["string", "null"], description: "null: the request carried the token of a login already" },
          expires_at: TIME,
        },
      },
    },
  },
  handle: ({ identity }, { tokens }) => {
    const given = tokens.login(identity);
    if (given === null) return problem("ROLE_REQUIRED", PEOPLE_ONLY);
    const { token, cookie, expiresAtMs } = given;
    const body = { user: identity.actor, roles: identity.roles, token, expires_at: isoTime(expiresAtMs) };
    return Response.json(body, { headers: { "Set-Cookie": cookie } });
  },
});

export const loginLink: Route = route({
  id: "loginLink",
  method: "POST",
  path: "/login/code",
  summary: "A code for a link to the console, `/#code=…`, that signs in whoever opens it: once, within ten minutes.",
  access: "person",
  body: NO_MEMBERS,
  answers: {
    200: {
      means: "the code",
      schema: {
        type: "object",
        required: ["code", "expires_at"],
        properties: { code: { type: "string" }, expires_at: TIME },
      },
    },
  },
  handle: ({ identity }, { tokens }) => {
    const made = tokens.newCode(identity);
    if (made === null) return problem("ROLE_REQUIRED", PEOPLE_ONLY);
    return json(200, { code: made.code, expires_at: isoTime(made.expiresAtMs) });
  },
});

export const logout: Route = route({
  id: "logout",
  method: "POST",
  path: "/logout",
  summary: "End the login whose token is sent; with another token, all logins of that person.",
  access: "person",
  body: NO_MEMBERS,
  answers: {
    200: {
      means: "it is over",
      schema: { type: "object", required: ["success"], properties: { success: { const: true } } },
    },
  },
  handle: async ({ identity }, { tokens, streams }) => {
    tokens.logout(identity);
    await streams.look();
    return json(200, { success: true });
  },
});
