import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../src/domain/json.ts";
import { openApi } from "../../src/doors/rest/openapi.ts";
import { ROUTES } from "../../src/doors/rest/routes.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
// biome-ignore lint/suspicious/noExplicitAny: a document, read by names
const document: any = openApi(ROUTES, "http://127.0.0.1:7420");
ajv.addSchema(document, "openapi");

const checks = new Map<string, ReturnType<typeof ajv.compile>>();

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Whether an answer is what the OpenAPI document says. Throws where it is not. */
export function checkAnswer(method: string, url: string, { status, body, headers }: Answer): void {
  const path = url.split("?")[0] ?? "";
  const route = ROUTES.find((one) => one.method === method && pattern(one.path).test(path));
  const responses = route && document.paths[route.path][method.toLowerCase()].responses;
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  if (responses && !((responses[status] ?? responses.default).content[type] ?? null))
    throw new Error(`${method} ${url} answers ${status} with ${type}, which is not documented`);
  const isProblem = (body as JsonObject | null)?.["type"] !== undefined && status >= 400;
  const schema = isProblem ? { $ref: "#/components/schemas/Problem" } : route?.answers[status]?.schema;
  if (schema === undefined) throw new Error(`${method} ${url} answers ${status}, which is not documented`);
  const key = JSON.stringify(schema);
  const check = checks.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')));
  checks.set(key, check);
  if (!check(body))
    throw new Error(`${method} ${url} ${status}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`);
}

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
