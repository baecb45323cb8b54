import type { JsonObject } from "../../domain/json.ts";
import { VERSION } from "../../wiring/version.ts";
import type { Access } from "../wire/identity.ts";
import type { AnswerHelp, Route } from "./route.ts";
import { ref, SCHEMAS } from "./schemas.ts";

/** The table of routes as OpenAPI 3.1 describes it, with the schemas that requests are checked with. `url`: of the server. */
export const openApi = (routes: readonly Route[], url: string): JsonObject => ({
  openapi: "3.1.0",
  info: {
    title: "Toolgate",
    version: VERSION,
    description:
      "Every tool call of an agent goes through here: checked, judged, approved, run in a sandbox and recorded.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url }],
  security: [{ token: [] }],
  paths: Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, own]) => [
      path,
      Object.fromEntries(own.map((route) => [route.method.toLowerCase(), operation(route)])),
    ]),
  ),
  components: {
    schemas: SCHEMAS,
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "`admin.token` of the state directory, or a user's" },
      cookie: {
        type: "apiKey",
        in: "cookie",
        name: "toolgate-{server}",
        description: "set by `POST /login`; opens one event stream within a minute",
      },
      code: {
        type: "http",
        scheme: "code",
        description: "of a link that `POST /login/code` or `toolgate serve` made; good for one login",
      },
    },
  },
});

function operation({
  id,
  summary,
  access,
  byCookie,
  path,
  query,
  headers = {},
  body,
  bytes,
  answers,
}: Route): JsonObject {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const required = (query?.["required"] ?? []) as readonly string[];
  const asked = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
  return {
    operationId: id,
    summary,
    ...(access === "public" && { security: [] }),
    ...(byCookie && { security: [{ token: [] }, { cookie: [] }] }),
    ...(id === "login" && { security: [{ token: [] }, { code: [] }] }),
    ...(access !== "public" && access !== "any" && { description: neededBy(access) }),
    parameters: [...params, ...asked, ...Object.entries(headers).map(headerParameter)],
    ...(body && { requestBody: bodyOf(body) }),
    ...(bytes && { requestBody: { required: true, content: BYTES } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, response(Number(status), answer)]),
      ),
      default: { description: "the request was not understood", content: PROBLEM },
    },
  };
}

const neededBy = (access: Exclude<Access, "any">): string =>
  access === "person"
    ? "For people: no role is needed, and an agent's token is refused."
    : `Needs the role \`${access}\`.`;

/** None at all is read as one without members. */
const bodyOf = (schema: NonNullable<Route["body"]>): JsonObject => ({
  required: Array.isArray(schema["required"]) && schema["required"].length > 0,
  content: { "application/json": { schema } },
});

const headerParameter = ([name, description]: readonly [string, string]): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

const BYTES = { "application/octet-stream": { schema: { type: "string", format: "binary" } } } as const;

const PROBLEM = { "application/problem+json": { schema: ref("Problem") } } as const;

/** What never became a call is told as a problem, also under a status that outcomes have. */
const response = (status: number, { means, schema, mediaType = "application/json" }: AnswerHelp): JsonObject => ({
  description: means,
  content: { ...(schema && { [mediaType]: { schema } }), ...((status >= 400 || !schema) && PROBLEM) },
});
