import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import { type CompiledSchema, compileSchema } from "../../schema/compile-schema.ts";
import { mayUse } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";
import { readBody, unfitBytes } from "../wire/read-body.ts";
import { headersOf } from "../wire/request-headers.ts";
import { sendJson } from "../wire/send-json.ts";
import type { Door, DoorParts, ServerContext } from "../wire/server-env.ts";
import type { Route, RouteRequest } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** The routes of the table on the server. */
export const restDoor: Door = {
  name: "rest",
  publicPaths: ROUTES.filter(({ access }) => access === "public").map(({ path }) => path),
  streamPaths: ROUTES.filter(({ byCookie }) => byCookie).map(({ path }) => path),
  mount: (app, parts) => {
    for (const route of ROUTES) {
      const answer = answerer(route, parts);
      app.on(route.method, honoPath(route.path), answer);
    }
    for (const [path, methods] of methodsByPath()) {
      const allow = methods.join(", ");
      app.all(honoPath(path), () =>
        problem("METHOD_NOT_ALLOWED", { detail: `this route has ${allow}`, headers: { Allow: allow } }),
      );
    }
  },
};

/** `/a/{b}` as the router writes it. */
const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

const methodsByPath = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...Map.groupBy(ROUTES, ({ path }) => path)].map(([path, routes]) => [path, routes.map(({ method }) => method)]),
  );

type Checked<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: Response };

function answerer(route: Route, parts: DoorParts): (context: ServerContext) => Promise<Response> {
  const checkQuery = checker(route.query ?? NOTHING);
  const unasked = checkQuery({});
  const checkBody = route.body === undefined ? null : checker(route.body);
  return async (context) => {
    context.set("route", route.path);
    const identity = context.get("identity");
    if (route.access !== "public" && !mayUse(identity, route.access)) {
      const detail = route.access === "person" ? "this is not for agents" : `this needs the role \`${route.access}\``;
      return problem("ROLE_REQUIRED", { detail });
    }
    const params = context.req.param();
    const project = params["project"];
    if (project !== undefined && project !== parts.gate.project) {
      return problem("PROJECT_UNKNOWN", { detail: "there is no such project" });
    }
    const query = context.req.url.includes("?") ? checkQuery(queryOf(context)) : unasked;
    if (!query.ok) return query.problem;
    const body = await bodyOf(context, route, checkBody);
    if (!body.ok) return body.problem;
    const request: RouteRequest<unknown, unknown> = {
      params,
      query: query.value,
      body: body.value,
      identity,
      headers: headersOf(context.env.incoming),
      context,
      // What the web's request object holds costs as much as a small call: only who wants it pays.
      get bytes() {
        return context.req.raw.body ?? NO_BYTES;
      },
      get gone() {
        return context.req.raw.signal;
      },
    };
    const answer = await route.handle(request as RouteRequest<never, never>, parts);
    return answer instanceof Response ? answer : sendJson(context, answer, parts.stopping);
  };
}

const NO_BYTES: AsyncIterable<Uint8Array> = (async function* () {})();

const NOTHING = { type: "object", properties: {}, additionalProperties: false } as const;

async function bodyOf(
  context: ServerContext,
  { bodyBytesMax = LIMITS.smallRequestBytes.default, bytes }: Route,
  check: ((value: JsonValue) => Checked<JsonObject>) | null,
): Promise<Checked<JsonObject>> {
  if (check !== null) {
    const read = await readBody(context, bodyBytesMax);
    return read.ok ? check(read.value) : read;
  }
  const headers = headersOf(context.env.incoming);
  if (bytes !== undefined) {
    const unfit = unfitBytes(headers, bytes.max);
    return unfit === null ? { ok: true, value: {} } : { ok: false, problem: unfit };
  }
  const hasBody = headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
  if (!hasBody) return { ok: true, value: {} };
  const detail = "this route takes no body";
  return { ok: false, problem: problem("BODY_TOO_LARGE", { detail, headers: { Connection: "close" } }) };
}

/** A name that stands twice is two answers to one question. */
function queryOf(context: ServerContext): JsonObject {
  const given = Object.entries(context.req.queries());
  return Object.fromEntries(given.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]));
}

function checker(schema: JsonObject): (value: JsonValue) => Checked<JsonObject> {
  const compiled = compileSchema(schema);
  if ("problem" in compiled) throw new TypeError(`a route's schema is none: ${JSON.stringify(compiled.problem)}`);
  return (value) => {
    if (!isJsonObject(value)) return invalid([{ field: "", rule: "type", message: "the body must be an object" }]);
    return checked(value, compiled);
  };
}

function checked(value: JsonObject, { coerce, check }: CompiledSchema): Checked<JsonObject> {
  const coerced = coerce(value);
  const errors = check(coerced);
  return errors.length === 0 ? { ok: true, value: coerced } : invalid(errors);
}

const invalid = (errors: readonly InputError[]): Checked<never> => ({
  ok: false,
  problem: problem("REQUEST_INVALID", { detail: errors[0]?.message ?? "the request is not understood", errors }),
});
