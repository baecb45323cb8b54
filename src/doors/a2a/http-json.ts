import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { DoorParts, ServerContext } from "../wire/server-env.ts";
import { A2A_ERRORS, type A2aError, detailsOf, headersOfError } from "./a2a-error.ts";
import { A2A_PATH } from "./agent-card.ts";
import { answered, type Binding } from "./binding.ts";
import type { OperationName } from "./operations.ts";
import { readRequest, wrongVersion } from "./read-request.ts";

interface HttpRoute {
  readonly method: string;
  /** Below `/a2a/`. */
  readonly path: RegExp;
  readonly operation: OperationName;
}

const route = (method: string, path: RegExp, operation: OperationName): HttpRoute => ({ method, path, operation });

const CONFIGS = /^tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs$/;
const CONFIG = /^tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs\/(?<configId>[^/]+)$/;
const SUBSCRIBE = /^tasks\/(?<id>[^/:]+):subscribe$/;

/** Subscribing is a GET in the protocol's definition and a POST in its words: it is both. */
const HTTP_ROUTES: readonly HttpRoute[] = [
  route("POST", /^message:send$/, "SendMessage"),
  route("POST", /^message:stream$/, "SendStreamingMessage"),
  route("GET", /^tasks$/, "ListTasks"),
  route("GET", /^tasks\/(?<id>[^/:]+)$/, "GetTask"),
  route("POST", /^tasks\/(?<id>[^/:]+):cancel$/, "CancelTask"),
  route("GET", SUBSCRIBE, "SubscribeToTask"),
  route("POST", SUBSCRIBE, "SubscribeToTask"),
  route("GET", /^extendedAgentCard$/, "GetExtendedAgentCard"),
  route("POST", CONFIGS, "CreateTaskPushNotificationConfig"),
  route("GET", CONFIGS, "ListTaskPushNotificationConfigs"),
  route("GET", CONFIG, "GetTaskPushNotificationConfig"),
  route("DELETE", CONFIG, "DeleteTaskPushNotificationConfig"),
];

/** What has a handler of its own: whatever else comes there is told so. */
const JSON_RPC = route("POST", /^$/, "SendMessage");

/** One request of HTTP+JSON. */
export async function answerHttpJson(context: ServerContext, parts: DoorParts): Promise<Response> {
  const { path, method } = context.req;
  const below = path.slice(A2A_PATH.length + 1);
  const there = path === A2A_PATH ? [JSON_RPC] : HTTP_ROUTES.filter((each) => each.path.test(below));
  const found = there.find((each) => each.method === method);
  if (found === undefined) return there.length === 0 ? errorResponse(NO_ROUTE) : wrongMethod(there);
  context.set("route", `${A2A_PATH} ${found.operation}`);
  const body = await readRequest(context);
  if (!body.ok) return errorResponse(body.error);
  const refused = wrongVersion(context);
  if (refused !== null) return errorResponse(refused);
  const named = found.path.exec(below)?.groups ?? {};
  const params = paramsOf(body.value, method === "GET" ? context.req.queries() : {}, named);
  return await answered(found.operation, params, context, parts, BINDING);
}

/** What the path says comes first; a query's text stands for a number where one is wanted. */
function paramsOf(
  body: JsonValue,
  query: Readonly<Record<string, readonly string[]>>,
  named: Readonly<Record<string, string>>,
): JsonValue {
  if (!isJsonObject(body)) return body;
  const given = Object.entries(query).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]);
  return { ...body, ...(Object.fromEntries(given) as JsonObject), ...named };
}

const NO_ROUTE: A2aError = { reason: "METHOD_NOT_FOUND", message: "there is no such route" };

function wrongMethod(there: readonly HttpRoute[]): Response {
  const allow = there.map(({ method }) => method).join(", ");
  const response = errorResponse({ reason: "METHOD_NOT_ALLOWED", message: `this route has ${allow}` });
  response.headers.set("Allow", allow);
  return response;
}

const TYPE = { "Content-Type": "application/a2a+json" };

/** As google.rpc has it. */
function errorResponse(error: A2aError): Response {
  const { status, name } = A2A_ERRORS[error.reason];
  const body = { error: { code: status, status: name, message: error.message, details: detailsOf(error) } };
  return new Response(JSON.stringify(body), { status, headers: { ...TYPE, ...headersOfError(error) } });
}

const BINDING: Binding = {
  ok: (result) => new Response(JSON.stringify(result), { headers: TYPE }),
  item: (item) => item,
  error: errorResponse,
};
