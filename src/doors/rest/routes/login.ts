import { LIMITS } from "../../../domain/limits.ts";
import { cookieHeader, cookieOf } from "../../wire/cookie.ts";
import { problem } from "../../wire/problem.ts";
import { json, type Route, route } from "../route.ts";

const NO_MEMBERS = { type: "object", additionalProperties: false, properties: {} } as const;

export const login: Route = route({
  id: "login",
  method: "POST",
  path: "/login",
  summary: "Give a browser a cookie for the token that it sends, because its `EventSource` can't send a header.",
  access: "person",
  body: NO_MEMBERS,
  answers: {
    200: {
      means: "the cookie is set; requests with it that change something carry `X-CSRF-Token`",
      schema: {
        type: "object",
        required: ["user", "roles", "csrf_token"],
        properties: {
          user: { type: "string" },
          roles: { type: "array", items: { type: "string" } },
          csrf_token: { type: "string" },
        },
      },
    },
  },
  handle: ({ identity }, { tokens }) => {
    const given = tokens.login(identity);
    if (given === null) return problem("ROLE_REQUIRED", { detail: "send the token of a person" });
    const { cookie, csrf } = given;
    const body = { user: identity.actor, roles: identity.roles, csrf_token: csrf };
    return Response.json(body, { headers: { "Set-Cookie": cookieHeader(cookie, LIMITS.loginMs.default / 1000) } });
  },
});

export const logout: Route = route({
  id: "logout",
  method: "POST",
  path: "/logout",
  summary: "End what `login` began.",
  access: "any",
  body: NO_MEMBERS,
  answers: {
    200: {
      means: "it is over",
      schema: { type: "object", required: ["success"], properties: { success: { const: true } } },
    },
  },
  handle: async ({ headers }, { tokens, streams }) => {
    const cookie = cookieOf(headers);
    if (cookie !== null) tokens.logout(cookie);
    await streams.look();
    return cookie === null
      ? json(200, { success: true })
      : Response.json({ success: true }, { headers: { "Set-Cookie": cookieHeader("", 0) } });
  },
});
