import { ownOrigin } from "../../wire/own-origin.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import { openApi } from "../openapi.ts";
import { json, type Route, route } from "../route.ts";

const OK = { type: "object", required: ["status"], properties: { status: { const: "ok" } } } as const;

export const healthz: Route = route({
  id: "healthz",
  method: "GET",
  path: "/healthz",
  summary: "Whether the server answers.",
  access: "public",
  answers: { 200: { means: "it does", schema: OK } },
  handle: () => json(200, { status: "ok" }),
});

export const readyz: Route = route({
  id: "readyz",
  method: "GET",
  path: "/readyz",
  summary: "Whether calls can be made: the ledger can be read and written, and the server is not stopping.",
  access: "public",
  answers: { 200: { means: "they can", schema: OK }, 503: { means: "not now" } },
  handle: async (_, { gate, stopping }) => {
    if (stopping.aborted) return problem("BUSY", { detail: "the server is stopping", retryAfterSeconds: 1 });
    const refusal = await gate.readiness();
    return refusal === null ? json(200, { status: "ok" }) : problemFromRefusal(refusal);
  },
});

/** Of routes that are known only when it is asked for. */
export const openapiOf = (routes: () => readonly Route[]): Route =>
  route({
    id: "openapi",
    method: "GET",
    path: "/openapi.json",
    summary: "This description.",
    access: "any",
    answers: { 200: { means: "OpenAPI 3.1", schema: { type: "object" } } },
    handle: ({ context }, parts) => json(200, openApi(routes(), ownOrigin(context, parts))),
  });
